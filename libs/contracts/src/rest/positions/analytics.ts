import { Type as Convert } from 'class-transformer';
import { IsInt, IsNotEmpty, IsString, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { RISK_THRESHOLDS } from '../../risk/levels';
import {
  ALL_READ,
  AcceptsNames,
  BLOCK,
  Combined,
  Example,
  Field,
  OR_NAME,
  Optional,
  POSITION_ID,
  PageQuery,
  TIMESTAMP,
  WALLETS_PATTERN,
} from '../fields';
import { WithRiskThresholds } from './risk-level';
import { BlockStamp, ReadState } from './positions';

/** Query of GET /v1/analytics/portfolio. */
export class PortfolioQuery {
  @JSONSchema({
    description: `Wallet addresses, comma-separated, up to 100. Absent: the watched wallets of the account. ${OR_NAME}`,
    pattern: WALLETS_PATTERN,
  })
  @AcceptsNames()
  @Optional()
  @IsString()
  @MaxLength(8_192)
  wallet?: string;

  @JSONSchema({ description: 'Only this position. Not with wallet.' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  positionId?: string;
}

/** Query of GET /v1/analytics/historical. */
export class HistoricalQuery extends PageQuery {
  @JSONSchema({
    description: 'Days back from now: up to 90 on business, 365 on enterprise.',
    maximum: 365,
  })
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  days: number = 30;

  @JSONSchema({
    description: `Watched wallets, comma-separated, up to 100. Absent: all watched wallets of the account. ${OR_NAME}`,
    pattern: WALLETS_PATTERN,
  })
  @AcceptsNames()
  @Optional()
  @IsString()
  @MaxLength(8_192)
  wallet?: string;

  @JSONSchema({ description: 'Only this position, of a watched wallet. Not with wallet.' })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  positionId?: string;
}

const healthFactorOver = (what: string) =>
  Field.Number(`${what}; null without debt, and where the contract never liquidates it.`, {
    min: 0,
    nullable: true,
  });

class PortfolioAnalyticsPortfolio {
  @Field.Integer('Open positions.', { min: 0 }) totalPositions!: number;
  @Field.Usd('Collateral of all positions, as the protocols count it.') totalCollateralUsd!: number;
  @Field.Usd('Everything owed.') totalDebtUsd!: number;
  @Field.Usd('Everything supplied: collateral and other supplied assets.') totalSuppliedUsd!: number;
  @Field.Usd('totalSuppliedUsd minus totalDebtUsd.') netWorthUsd!: number;

  @healthFactorOver(
    'Mean over the positions with debt, each with the same weight. One very safe position raises it',
  )
  avgHealthFactor!: number | null;

  @healthFactorOver('Mean weighted by the debt of each position') debtWeightedHealthFactor!: number | null;
  @healthFactorOver('Median over the positions with debt') medianHealthFactor!: number | null;
  @healthFactorOver('Lowest health factor') lowestHealthFactor!: number | null;

  @Field.Integer('Positions with riskLevel high, critical or liquidatable.', { min: 0 })
  positionsAtRisk!: number;
}

/** Response of GET /v1/analytics/portfolio. */
@Example({
  portfolio: {
    totalPositions: 3,
    totalCollateralUsd: 31_500,
    totalDebtUsd: 20_000,
    totalSuppliedUsd: 33_000,
    netWorthUsd: 13_000,
    avgHealthFactor: 1.31,
    debtWeightedHealthFactor: 1.27,
    medianHealthFactor: 1.29,
    lowestHealthFactor: 1.19,
    positionsAtRisk: 1,
  },
  riskThresholds: RISK_THRESHOLDS,
  ...BLOCK,
  ...ALL_READ,
})
export class PortfolioAnalytics extends Combined(WithRiskThresholds, BlockStamp, ReadState) {
  @Field.Object(() => PortfolioAnalyticsPortfolio, 'Figures of all positions together.')
  portfolio!: PortfolioAnalyticsPortfolio;
}

/** A position at a past time. */
export class HistoricalSnapshot {
  @Field.Id('pos', 'The position.') positionId!: string;
  @Field.Number('Null without debt.', { min: 0, nullable: true }) healthFactor!: number | null;

  @Field.Digits(
    'The exact health factor with 18 decimals; null without debt, and where the contract never liquidates it.',
    { nullable: true },
  )
  healthFactorRaw!: string | null;

  @Field.Usd('Collateral at the price of the protocol’s own oracle. 0 when the position was closed.')
  collateralUsd!: number;

  @Field.Usd('Everything owed.') debtUsd!: number;
  @Field.Integer('Block of these figures.', { min: 0 }) block!: number;
  @Field.Timestamp('When they were recorded.') createdAt!: string;
}

/** Response of GET /v1/analytics/historical. */
@Example({
  snapshots: [
    {
      positionId: POSITION_ID,
      healthFactor: 1.2375,
      healthFactorRaw: '1237500000000000000',
      collateralUsd: 7_500,
      debtUsd: 5_000,
      block: 24_100_207,
      createdAt: TIMESTAMP,
    },
  ],
  count: 1,
  days: 30,
  maxDays: 90,
  nextCursor: null,
})
export class HistoricalSnapshots {
  @Field.Object(() => HistoricalSnapshot, 'Newest first.', { list: true }) snapshots!: HistoricalSnapshot[];
  @Field.ItemCount() count!: number;
  @Field.Integer('As in the request.', { min: 1 }) days!: number;
  @Field.Integer('Most days that the tier allows.', { min: 1 }) maxDays!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
