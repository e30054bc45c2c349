import { IsIn, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { SHOWN_CHAIN_STATUSES } from '../../chains';
import { DUST_USD } from '../../dust';
import { RISK_THRESHOLDS } from '../../levels';
import { POSITION_FLAGS, type PositionFlagName } from '../../position-flags';
import { AllOptional, Combined } from '../fields/combined';
import { Optional } from '../fields/field';
import {
  AddressField,
  BooleanField,
  CHAIN_ID,
  DigitsField,
  IdField,
  IntegerField,
  NextCursor,
  NumberField,
  ObjectField,
  TextField,
  TimestampField,
  UsdField,
  WordField,
} from '../fields/fields';
import { PageQuery } from '../fields/paging';
import { Example } from '../fields/response-schema';
import { ALL_READ, BLOCK, TIMESTAMP } from '../fields/samples';
import { RiskLevelFields, WithRiskThresholds } from '../risk/risk-level';
import { LISTED } from './samples';

const COLLATERAL = {
  asset: 'WETH',
  amount: 2.5,
  usdValue: 7_500,
  address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  amountRaw: '2500000000000000000',
  decimals: 18,
  priceRaw: '300000000000',
  priceDecimals: 8,
  priceUsd: 3_000,
  oracle: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
  liquidationThresholdBps: 8_250,
  usedAsCollateral: true,
  supplyRate: 0.018,
};
const DEBT = {
  asset: 'USDC',
  amount: 5_000,
  usdValue: 5_000,
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  amountRaw: '5000000000',
  decimals: 6,
  priceRaw: '100000000',
  priceDecimals: 8,
  priceUsd: 1,
  oracle: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
  borrowRate: 0.058,
};

/** Query of GET /v1/positions. */
export class ListPositionsQuery extends PageQuery {
  @JSONSchema({
    description:
      'Wallet addresses, comma-separated: up to 3 on the open tier, 100 above. Absent: the watched wallets of the account. A mixed-case address must have the EIP-55 checksum.',
    pattern: '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40})*$',
  })
  @Optional()
  @IsString()
  @MaxLength(8_192)
  wallet?: string;

  @JSONSchema({ description: 'assets: each position includes its assets, as in GET /v1/positions/:id.' })
  @Optional()
  @IsIn(['assets'])
  include?: 'assets';
}

/** An asset of a position, with exact figures beside the doubles. */
export class PositionAsset {
  @TextField('Symbol.', { example: 'WETH' }) asset!: string;
  @NumberField('Whole tokens, including interest up to the block.') amount!: number;
  @UsdField('Value at the price of the protocol’s own oracle.') usdValue!: number;
  @AddressField('Token contract.') address!: string;
  @DigitsField('Exact amount in the token’s smallest unit.') amountRaw!: string;
  @IntegerField('Decimals of amountRaw.', { min: 0, max: 36 }) decimals!: number;

  @DigitsField(
    'Exact price of one whole token from the protocol’s own oracle, in the market’s base currency. Multiply by usdPerBaseRaw for USD.',
  )
  priceRaw!: string;

  @IntegerField('Decimals of priceRaw.', { min: 0, max: 36 }) priceDecimals!: number;
  @Optional() @UsdField('The same price.') priceUsd?: number;
  @AddressField('Contract that provides the price.') oracle!: string;

  @Optional()
  @IntegerField('Basis points of the value that count as weighted collateral. Collateral only.', { min: 0 })
  liquidationThresholdBps?: number;

  @Optional()
  @BooleanField('False: supplied, but not counted as collateral. Collateral only.')
  usedAsCollateral?: boolean;

  @Optional()
  @NumberField(
    'Yearly supply rate at the block, as a fraction: 0.02 is 2 %. Collateral only. Absent when the rate is not read.',
  )
  supplyRate?: number;

  @Optional()
  @NumberField(
    'Yearly borrow rate at the block, as a fraction: 0.05 is 5 %. Debt only. Absent when the rate is not read.',
  )
  borrowRate?: number;
}

class PositionEModeCollateral {
  @AddressField('Token contract.') address!: string;

  @IntegerField('Basis points of the asset’s value that count in this category.', { min: 0 })
  liquidationThresholdBps!: number;
}

/** An e-mode that a position may enter, with its figures there. */
class PositionEMode {
  @IntegerField('Id of the category in the pool.', { min: 1, max: 255 }) id!: number;
  @TextField('Name of the category from the protocol’s contract.') label!: string;
  @NumberField('Health factor in this category, at the same block.', { min: 0 }) healthFactor!: number;
  @DigitsField('The same with 18 decimals, as the contract would compute it.') healthFactorRaw!: string;

  @ObjectField(() => PositionEModeCollateral, 'Weighted collateral in this category.', { list: true })
  collateral!: PositionEModeCollateral[];
}

/** Fields of the detail form that the list form lacks. */
class PositionAssets {
  @ObjectField(() => PositionAsset, 'Supplied assets.', { list: true }) collateralAssets!: PositionAsset[];
  @ObjectField(() => PositionAsset, 'Borrowed assets.', { list: true }) debtAssets!: PositionAsset[];

  @Optional()
  @DigitsField(
    'USD value, with 18 decimals, of one unit of the market’s base currency at the block: 1000000000000000000 when it is USD. 0: no oracle of the chain prices that currency, and all its USD figures are 0.',
  )
  usdPerBaseRaw?: string;

  @Optional()
  @ObjectField(
    () => PositionEMode,
    'Categories of assets that move together (Aave v3) which the wallet may enter now and in which its health factor is higher, the safest first. Absent without any.',
    { list: true },
  )
  eModes?: PositionEMode[];

  @TimestampField('Time of the block of these figures.') updatedAt!: string;
}

/** List form of a position. */
export class PositionListItem extends RiskLevelFields {
  @IdField('pos', 'Permanent id of the position, the same on every instance.') id!: string;
  @TextField('Protocol id.', { example: 'aave-v3' }) protocol!: string;
  @IntegerField('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @TextField('Market of the protocol on this chain.') market!: string;

  @Optional()
  @TextField(
    'Which of the wallet’s positions in the market (Morpho market, trove, sub-account). Absent where a wallet can have only one.',
  )
  subId?: string;

  @AddressField('Wallet of the position.') wallet!: string;

  @NumberField('Below 1 the position can be liquidated. Null without debt.', { min: 0, nullable: true })
  healthFactor!: number | null;

  @DigitsField('The exact health factor with 18 decimals; null without debt.', { nullable: true })
  healthFactorRaw!: string | null;

  @UsdField('Collateral, as the protocol counts it.') totalCollateralUsd!: number;
  @UsdField('Everything owed.') totalDebtUsd!: number;
  @UsdField('Everything supplied: collateral and other supplied assets.') totalSuppliedUsd!: number;
  @UsdField('totalSuppliedUsd minus totalDebtUsd.') netWorthUsd!: number;

  @BooleanField(
    `Supplied value and debt are both below ${DUST_USD} USD. False when the value of an asset is unknown.`,
  )
  isDust!: boolean;

  @NumberField(
    'Probability of liquidation within 7 days that decides riskLevel. Null when the health factor decides it or there is no debt.',
    { min: 0, max: 1, nullable: true },
  )
  probability7d!: number | null;

  @Optional()
  @WordField(
    POSITION_FLAGS,
    'Other dangers of the position. soft_liquidation: part of its collateral is already sold. redemption: it is among the first that can be redeemed against. recovery_mode: the threshold is raised for the whole system. shutdown: its market is being closed.',
    { list: true },
  )
  flags?: PositionFlagName[];

  @Optional()
  @IntegerField('Block of these figures. Present only when they could not be read at asOfBlock.', { min: 0 })
  block?: number;
}

/** A part that could not be read. It distinguishes "unknown" from "no position". */
export class Unreadable {
  @TextField('Protocol id.') protocol!: string;
  @IntegerField('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @TextField('The reason, as text.') reason!: string;
}

/** Block of the figures of a chain, with its hash, so that a client can read the same block. */
export class BlockStamp {
  @IntegerField('Block number of the figures, by chain id.', { min: 0, map: CHAIN_ID })
  asOfBlock!: Record<string, number>;

  @TextField('Hash of that block, by chain id.', { pattern: '^0x[0-9a-f]{64}$', map: CHAIN_ID })
  blockHash!: Record<string, string>;
}

/** Blocks and unreadable parts of every response about positions. */
export class ReadState {
  @ObjectField(
    () => Unreadable,
    'Parts that could not be read and may be missing. Empty when all was read.',
    { list: true },
  )
  unreadable!: Unreadable[];

  @WordField(SHOWN_CHAIN_STATUSES, 'Status of each requested chain, by chain id, as in GET /v1/chains.', {
    map: CHAIN_ID,
  })
  chainStatus!: Record<string, (typeof SHOWN_CHAIN_STATUSES)[number]>;
}

class ListedPosition extends Combined(PositionListItem, AllOptional(PositionAssets)) {}

/** Response of GET /v1/positions. */
@Example({
  positions: [LISTED],
  riskThresholds: RISK_THRESHOLDS,
  ...BLOCK,
  ...ALL_READ,
  nextCursor: null,
})
export class PositionList extends Combined(WithRiskThresholds, BlockStamp, ReadState) {
  @ObjectField(
    () => ListedPosition,
    'Lowest health factor first. assets and updatedAt only with include=assets.',
    { list: true },
  )
  positions!: ListedPosition[];

  @NextCursor() nextCursor!: string | null;
}

/** Response of GET /v1/positions/:id: detail form. */
@Example({
  ...LISTED,
  collateralAssets: [COLLATERAL],
  debtAssets: [DEBT],
  usdPerBaseRaw: '1000000000000000000',
  updatedAt: TIMESTAMP,
  riskThresholds: RISK_THRESHOLDS,
  ...ALL_READ,
  ...BLOCK,
})
export class PositionDetail extends Combined(
  PositionListItem,
  PositionAssets,
  WithRiskThresholds,
  ReadState,
  BlockStamp,
) {}

// Only their types: the document shows these fields within other classes.
export type { PositionAssets, PositionEMode };
