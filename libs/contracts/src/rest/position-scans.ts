import { type Static, Type } from '@sinclair/typebox';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { itemCount, usd } from './fields';
import { Optional } from './optional';
import { BlockStamp, PositionListItem, ReadState } from './positions';
import { WithRiskThresholds } from './risk-level';

/** Most wallets in one batch. */
export const MAX_BATCH_WALLETS = 100;
const MAX_SCAN_CHAINS = 50;
const ADDRESS = '^0x[0-9a-fA-F]{40}$';

/** Body of POST /v1/positions/scan. */
export class ScanPositionsBody {
  @JSONSchema({
    description: 'Wallet address. A mixed-case address must have the EIP-55 checksum.',
    pattern: ADDRESS,
  })
  @IsString()
  @MaxLength(64)
  wallet!: string;

  @JSONSchema({
    description: 'Ids of the chains to scan, as in GET /v1/chains. Absent: all chains with a node.',
  })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SCAN_CHAINS)
  @IsInt({ each: true })
  @Min(1, { each: true })
  chains?: number[];
}

/** Body of POST /v1/positions/batch. */
export class BatchPositionsBody {
  @JSONSchema({
    description:
      'Wallet addresses. A repeated address counts once. A mixed-case address must have the EIP-55 checksum.',
    items: { type: 'string', pattern: ADDRESS },
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH_WALLETS)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  wallets!: string[];
}

const positions = Type.Array(PositionListItem, { description: 'Lowest health factor first.' });

/** Response of POST /v1/positions/scan. */
export const PositionScan = Type.Composite([
  Type.Object({
    positions,
    totalCollateralUsd: usd('Sum of the positions’ collateral.'),
    totalDebtUsd: usd('Sum of the positions’ debt.'),
    totalSuppliedUsd: usd('Sum of the positions’ collateral and other supplied assets.'),
    netWorthUsd: usd('totalSuppliedUsd minus totalDebtUsd.'),
    protocols: Type.Array(Type.String(), { description: 'Ids of the protocols with a position.' }),
  }),
  WithRiskThresholds,
  BlockStamp,
  ReadState,
]);
export type PositionScan = Static<typeof PositionScan>;

/** Response of POST /v1/positions/batch. */
export const PositionBatch = Type.Composite([
  Type.Object({
    positions,
    count: itemCount,
    walletsQueried: Type.Integer({ minimum: 1, description: 'Different wallets in the request.' }),
  }),
  WithRiskThresholds,
  BlockStamp,
  ReadState,
]);
export type PositionBatch = Static<typeof PositionBatch>;
