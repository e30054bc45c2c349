import { type Static, Type } from '@sinclair/typebox';
import { Type as Convert } from 'class-transformer';
import { IsInt, IsNotEmpty, IsString, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { digits, itemCount, nextCursor, nullable, recordId, timestamp, usd } from './fields';
import { Optional } from './optional';
import { PageQuery } from './paging';
import { BlockStamp, ReadState } from './positions';
import { WithRiskThresholds } from './risk-level';

const ADDRESSES = '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40})*$';

/** Query of GET /v1/analytics/portfolio. */
export class PortfolioQuery {
  @JSONSchema({
    description: 'Wallet addresses, comma-separated, up to 100. Absent: the watched wallets of the account.',
    pattern: ADDRESSES,
  })
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
    description: 'Watched wallets, comma-separated, up to 100. Absent: all watched wallets of the account.',
    pattern: ADDRESSES,
  })
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
  nullable(Type.Number({ minimum: 0 }), `${what}; null without debt.`);

/** Response of GET /v1/analytics/portfolio. */
export const PortfolioAnalytics = Type.Composite([
  Type.Object({
    portfolio: Type.Object({
      totalPositions: Type.Integer({ minimum: 0, description: 'Open positions.' }),
      totalCollateralUsd: usd('Collateral of all positions, as the protocols count it.'),
      totalDebtUsd: usd('Everything owed.'),
      totalSuppliedUsd: usd('Everything supplied: collateral and other supplied assets.'),
      netWorthUsd: usd('totalSuppliedUsd minus totalDebtUsd.'),
      avgHealthFactor: healthFactorOver(
        'Mean over the positions with debt, each with the same weight. One very safe position raises it',
      ),
      debtWeightedHealthFactor: healthFactorOver('Mean weighted by the debt of each position'),
      medianHealthFactor: healthFactorOver('Median over the positions with debt'),
      lowestHealthFactor: healthFactorOver('Lowest health factor'),
      positionsAtRisk: Type.Integer({
        minimum: 0,
        description: 'Positions with riskLevel high, critical or liquidatable.',
      }),
    }),
  }),
  WithRiskThresholds,
  BlockStamp,
  ReadState,
]);
export type PortfolioAnalytics = Static<typeof PortfolioAnalytics>;

/** A position at a past time. */
export const HistoricalSnapshot = Type.Object({
  positionId: recordId('pos', 'The position.'),
  healthFactor: nullable(Type.Number({ minimum: 0 }), 'Null without debt.'),
  healthFactorRaw: nullable(
    digits('Health factor with 18 decimals.'),
    'The exact health factor with 18 decimals; null without debt.',
  ),
  collateralUsd: usd('Collateral at the price of the protocol’s own oracle. 0 when the position was closed.'),
  debtUsd: usd('Everything owed.'),
  block: Type.Integer({ minimum: 0, description: 'Block of these figures.' }),
  createdAt: timestamp('When they were recorded.'),
});
export type HistoricalSnapshot = Static<typeof HistoricalSnapshot>;

/** Response of GET /v1/analytics/historical. */
export const HistoricalSnapshots = Type.Object({
  snapshots: Type.Array(HistoricalSnapshot, { description: 'Newest first.' }),
  count: itemCount,
  days: Type.Integer({ minimum: 1, description: 'As in the request.' }),
  maxDays: Type.Integer({ minimum: 1, description: 'Most days that the tier allows.' }),
  nextCursor,
});
export type HistoricalSnapshots = Static<typeof HistoricalSnapshots>;
