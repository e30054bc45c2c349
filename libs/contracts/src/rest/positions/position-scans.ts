import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { RISK_THRESHOLDS } from '../../risk/levels';
import {
  ALL_READ,
  AcceptsNames,
  BLOCK,
  Combined,
  Example,
  Field,
  MOST_NAME_CHARS,
  OR_NAME,
  Optional,
  WALLET,
  WALLET_PATTERN,
} from '../fields';
import { WithRiskThresholds } from './risk-level';
import { BlockStamp, PositionListItem, ReadState } from './positions';
import { LISTED } from './samples';

/** Most wallets in one batch. */
export const MAX_BATCH_WALLETS = 100;

const MAX_SCAN_CHAINS = 50;

/** Body of POST /v1/positions/scan. */
@Example({ wallet: WALLET, chains: [1, 42_161] })
export class ScanPositionsBody {
  @JSONSchema({
    description: `Wallet address. A mixed-case address must have the EIP-55 checksum. ${OR_NAME}`,
    pattern: WALLET_PATTERN,
  })
  @AcceptsNames()
  @IsString()
  @MaxLength(MOST_NAME_CHARS)
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
@Example({ wallets: [WALLET] })
export class BatchPositionsBody {
  @JSONSchema({
    description: `Wallet addresses. A repeated address counts once. A mixed-case address must have the EIP-55 checksum. ${OR_NAME}`,
    items: { type: 'string', pattern: WALLET_PATTERN },
  })
  @AcceptsNames()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH_WALLETS)
  @IsString({ each: true })
  @MaxLength(MOST_NAME_CHARS, { each: true })
  wallets!: string[];
}

/** Response of POST /v1/positions/scan. */
@Example({
  positions: [LISTED],
  totalCollateralUsd: 7_500,
  totalDebtUsd: 5_000,
  totalSuppliedUsd: 7_500,
  netWorthUsd: 2_500,
  protocols: ['aave-v3'],
  riskThresholds: RISK_THRESHOLDS,
  ...BLOCK,
  unreadable: [{ protocol: 'aave-v3', chainId: 42_161, reason: 'deadline_exceeded' }],
  chainStatus: { '1': 'operational', '42161': 'down' },
})
export class PositionScan extends Combined(WithRiskThresholds, BlockStamp, ReadState) {
  @Field.Object(() => PositionListItem, 'Lowest health factor first.', { list: true })
  positions!: PositionListItem[];

  @Field.Usd('Sum of the positions’ collateral.') totalCollateralUsd!: number;
  @Field.Usd('Sum of the positions’ debt.') totalDebtUsd!: number;
  @Field.Usd('Sum of the positions’ collateral and other supplied assets.') totalSuppliedUsd!: number;
  @Field.Usd('totalSuppliedUsd minus totalDebtUsd.') netWorthUsd!: number;
  @Field.Text('Ids of the protocols with a position.', { list: true }) protocols!: string[];
}

/** Response of POST /v1/positions/batch. */
@Example({
  positions: [LISTED],
  count: 1,
  walletsQueried: 1,
  riskThresholds: RISK_THRESHOLDS,
  ...BLOCK,
  ...ALL_READ,
})
export class PositionBatch extends Combined(WithRiskThresholds, BlockStamp, ReadState) {
  @Field.Object(() => PositionListItem, 'Lowest health factor first.', { list: true })
  positions!: PositionListItem[];

  @Field.ItemCount() count!: number;
  @Field.Integer('Different wallets in the request.', { min: 1 }) walletsQueried!: number;
}
