import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  AcceptsNames,
  BLOCK,
  Combined,
  Example,
  Field,
  HISTORY,
  OR_NAME,
  Optional,
  TIMESTAMP,
  WALLETS_PATTERN,
} from '../fields';
import { BlockStamp, Unreadable } from '../positions/positions';
import { MaybeHistoryBasis } from './risk-basis';

/** Query of GET /v1/risk/metrics. */
export class RiskMetricsQuery {
  @JSONSchema({
    description: `Wallet addresses, comma-separated, up to 100. Absent: the watched wallets of the account. ${OR_NAME}`,
    pattern: WALLETS_PATTERN,
  })
  @AcceptsNames()
  @Optional()
  @IsString()
  @MaxLength(8_192)
  wallet?: string;

  @JSONSchema({ description: 'Only this position.' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  positionId?: string;
}

const share = (what: string) =>
  Field.Number(
    `${what}, as a share of net worth; positive is a loss. 0 without positions. Null when the net worth is not positive or no position could be read.`,
    { nullable: true },
  );

/** Response of GET /v1/risk/metrics. */
@Example({
  var95: 0.131,
  cvar95: 0.187,
  portfolioVolatility: 1.52,
  sharpeRatio: 0.41,
  var95Usd: 327.5,
  cvar95Usd: 467.5,
  netWorthUsd: 2_500,
  positions: 1,
  priceTime: TIMESTAMP,
  unreadable: [],
  ...BLOCK,
  ...HISTORY,
})
export class RiskMetrics extends Combined(BlockStamp, MaybeHistoryBasis) {
  @share('Value at risk of one day at 95 %') var95!: number | null;
  @share('Expected loss in the worst 5 % of days') cvar95!: number | null;

  @Field.Number(
    'Yearly volatility of the net worth (√365). Null when the net worth is not positive or no position could be read.',
    { min: 0, nullable: true },
  )
  portfolioVolatility!: number | null;

  @Field.Number(
    'Mean return divided by volatility per year, without a risk-free rate. Null when the volatility is 0 or the net worth is not positive.',
    { nullable: true },
  )
  sharpeRatio!: number | null;

  @Field.Number('var95 in USD. Null when var95 is null.', { nullable: true }) var95Usd!: number | null;
  @Field.Number('cvar95 in USD. Null when cvar95 is null.', { nullable: true }) cvar95Usd!: number | null;
  @Field.Usd('Everything supplied minus everything owed.') netWorthUsd!: number;
  @Field.Integer('Open positions in the figures.', { min: 0 }) positions!: number;

  @Field.Timestamp('Time of the oldest block behind the figures. Null without positions.', { nullable: true })
  priceTime!: string | null;

  @Field.Object(
    () => Unreadable,
    'Parts that could not be read and are missing in the figures. Empty when all was read.',
    { list: true },
  )
  unreadable!: Unreadable[];
}
