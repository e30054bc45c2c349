import { type Static, Type } from '@sinclair/typebox';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { nullable, timestamp, usd } from './fields';
import { Optional } from './optional';
import { BlockStamp, Unreadable } from './positions';
import { MaybeHistoryBasis } from './risk-basis';

/** Query of GET /v1/risk/metrics. */
export class RiskMetricsQuery {
  @JSONSchema({
    description: 'Wallet addresses, comma-separated, up to 100. Absent: the watched wallets of the account.',
    pattern: '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40})*$',
  })
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
  nullable(
    Type.Number(),
    `${what}, as a share of net worth; positive is a loss. 0 without positions. Null when the net worth is not positive or no position could be read.`,
  );

/** Response of GET /v1/risk/metrics. */
export const RiskMetrics = Type.Composite([
  Type.Object({
    var95: share('Value at risk of one day at 95 %'),
    cvar95: share('Expected loss in the worst 5 % of days'),
    portfolioVolatility: nullable(
      Type.Number({ minimum: 0 }),
      'Yearly volatility of the net worth (√365). Null when the net worth is not positive or no position could be read.',
    ),
    sharpeRatio: nullable(
      Type.Number(),
      'Mean return divided by volatility per year, without a risk-free rate. Null when the volatility is 0 or the net worth is not positive.',
    ),
    var95Usd: nullable(Type.Number(), 'var95 in USD. Null when var95 is null.'),
    cvar95Usd: nullable(Type.Number(), 'cvar95 in USD. Null when cvar95 is null.'),
    netWorthUsd: usd('Everything supplied minus everything owed.'),
    positions: Type.Integer({ minimum: 0, description: 'Open positions in the figures.' }),
    priceTime: nullable(
      timestamp('A moment.'),
      'Time of the oldest block behind the figures. Null without positions.',
    ),
    unreadable: Type.Array(Unreadable, {
      description: 'Parts that could not be read and are missing in the figures. Empty when all was read.',
    }),
  }),
  BlockStamp,
  MaybeHistoryBasis,
]);
export type RiskMetrics = Static<typeof RiskMetrics>;
