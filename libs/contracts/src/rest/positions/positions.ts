import { Type as Convert } from 'class-transformer';
import { IsIn, IsInt, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { PROXY_KINDS, SHOWN_CHAIN_STATUSES, VERIFICATIONS, type Verification } from '../../protocols';
import { BANDS, type Band } from '../../risk/bands';
import { DUST_USD, RISK_THRESHOLDS, POSITION_FLAGS, type PositionFlagName } from '../../risk/levels';
import {
  ALL_READ,
  AcceptsNames,
  AllOptional,
  BLOCK,
  CHAIN_ID,
  Combined,
  Example,
  Field,
  FieldsQuery,
  FromText,
  IsId,
  OR_NAME,
  Optional,
  PageQuery,
  TIMESTAMP,
  WALLETS_PATTERN,
} from '../fields';
import { RiskLevelFields, WithRiskThresholds } from './risk-level';
import { RECEIPT_FORMS, type ReceiptForm, WithReceipt } from '../receipts/receipts';
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

/** Orders of positions. */
export const POSITION_ORDERS = ['healthFactor', 'totalDebtUsd', 'totalCollateralUsd'] as const;

/** Query of GET /v1/positions. */
export class ListPositionsQuery extends PageQuery {
  @JSONSchema({
    description: `Wallet addresses, comma-separated: up to 3 on the open tier, 100 above. Absent: the watched wallets of the account. A mixed-case address must have the EIP-55 checksum. ${OR_NAME}`,
    pattern: WALLETS_PATTERN,
  })
  @AcceptsNames()
  @Optional()
  @IsString()
  @MaxLength(8_192)
  wallet?: string;

  @JSONSchema({
    description:
      'The watched wallets in this wallet group, as in GET /v1/wallet-groups. Either this or wallet.',
  })
  @Optional()
  @IsId('wgr')
  walletGroupId?: string;

  @JSONSchema({ description: 'assets: each position includes its assets, as in GET /v1/positions/:id.' })
  @Optional()
  @IsIn(['assets'])
  include?: 'assets';

  @JSONSchema({ description: 'Only positions in this protocol, as in GET /v1/protocols.' })
  @Optional()
  @IsString()
  @MaxLength(64)
  protocol?: string;

  @JSONSchema({ description: 'Only positions on this chain, as in GET /v1/chains.' })
  @Optional()
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(2 ** 53 - 1)
  chainId?: number;

  @JSONSchema({ description: 'Only positions with this riskLevel.' })
  @Optional()
  @IsIn(BANDS)
  riskLevel?: Band;

  @JSONSchema({
    description: 'Only positions with at most this health factor. Positions without one are left out.',
  })
  @Optional()
  @FromText()
  @IsNumber()
  @Min(0)
  maxHealthFactor?: number;

  @JSONSchema({ description: 'Only positions with at least this totalDebtUsd.' })
  @Optional()
  @FromText()
  @IsNumber()
  @Min(0)
  minDebtUsd?: number;

  @JSONSchema({
    description:
      'healthFactor: the lowest first, those without debt last (the default). An amount: the largest first. A cursor belongs to its order.',
  })
  @Optional()
  @IsIn(POSITION_ORDERS)
  sort?: (typeof POSITION_ORDERS)[number];
}

/** Query of GET /v1/positions/:id. */
export class PositionQuery extends FieldsQuery {
  @JSONSchema({
    description:
      'true: the position is read again at its block, and the response has a signed receipt of this reading. full: also the results of its calls.',
  })
  @Optional()
  @IsIn(RECEIPT_FORMS)
  receipt?: ReceiptForm;
}

/** An asset of a position, with exact figures beside the doubles. */
export class PositionAsset {
  @Field.Text('Symbol.', { example: 'WETH' }) asset!: string;
  @Field.Number('Whole tokens, including interest up to the block.') amount!: number;
  @Field.Usd('Value at the price of the protocol’s own oracle.') usdValue!: number;
  @Field.Address('Token contract.') address!: string;
  @Field.Digits('Exact amount in the token’s smallest unit.') amountRaw!: string;
  @Field.Integer('Decimals of amountRaw.', { min: 0, max: 36 }) decimals!: number;

  @Field.Digits(
    'Exact price of one whole token from the protocol’s own oracle, in the market’s base currency. Multiply by usdPerBaseRaw for USD.',
  )
  priceRaw!: string;

  @Field.Integer('Decimals of priceRaw.', { min: 0, max: 36 }) priceDecimals!: number;
  @Optional() @Field.Usd('The same price.') priceUsd?: number;

  @Optional()
  @Field.Usd(
    'Market price of one whole token by the chain’s dollar oracles. Present where the protocol counts the token at a fixed dollar (LUSD, BOLD, DAI, USDS, crvUSD) and an oracle knows it: the totals in USD use it; usdValue, priceUsd and the health factor do not.',
  )
  marketPriceUsd?: number;

  @Optional() @Field.Digits('The same market price, with 18 decimals.') marketPriceRaw?: string;
  @Field.Address('Contract that provides the price.') oracle!: string;

  @Optional()
  @Field.Integer('Basis points of the value that count as weighted collateral. Collateral only.', { min: 0 })
  liquidationThresholdBps?: number;

  @Optional()
  @Field.Integer(
    'Basis points that a liquidation takes above the repaid debt, by the parameters of the market; the liquidator or the protocol receives them. Where they grow as the health factor falls (Aave v4, Euler v2), the most. Collateral only. Absent when it is not read.',
    { min: 0 },
  )
  liquidationBonusBps?: number;

  @Optional()
  @Field.Boolean('False: supplied, but not counted as collateral. Collateral only.')
  usedAsCollateral?: boolean;

  @Optional()
  @Field.Number(
    'Yearly supply rate at the block, as a fraction: 0.02 is 2 %. Collateral only. Absent when the rate is not read.',
  )
  supplyRate?: number;

  @Optional()
  @Field.Number(
    'Yearly borrow rate at the block, as a fraction: 0.05 is 5 %. Debt only. Absent when the rate is not read.',
  )
  borrowRate?: number;
}

class PositionEModeCollateral {
  @Field.Address('Token contract.') address!: string;

  @Field.Integer('Basis points of the asset’s value that count in this category.', { min: 0 })
  liquidationThresholdBps!: number;
}

/** An e-mode that a position may enter, with its figures there. */
class PositionEMode {
  @Field.Integer('Id of the category in the pool.', { min: 1, max: 255 }) id!: number;
  @Field.Text('Name of the category from the protocol’s contract.') label!: string;
  @Field.Number('Health factor in this category, at the same block.', { min: 0 }) healthFactor!: number;
  @Field.Digits('The same with 18 decimals, as the contract would compute it.') healthFactorRaw!: string;

  @Field.Object(() => PositionEModeCollateral, 'Weighted collateral in this category.', { list: true })
  collateral!: PositionEModeCollateral[];
}

/** Fields of the detail form that the list form lacks. */
class PositionAssets {
  @Field.Object(() => PositionAsset, 'Supplied assets.', { list: true }) collateralAssets!: PositionAsset[];
  @Field.Object(() => PositionAsset, 'Borrowed assets.', { list: true }) debtAssets!: PositionAsset[];

  @Optional()
  @Field.Digits(
    'USD value, with 18 decimals, of one unit of the market’s base currency at the block: 1000000000000000000 when it is USD. 0: no oracle of the chain prices that currency, and all its USD figures are 0.',
  )
  usdPerBaseRaw?: string;

  @Optional()
  @Field.Object(
    () => PositionEMode,
    'Categories of assets that move together (Aave v3) which the wallet may enter now and in which its health factor is higher, the safest first. Absent without any.',
    { list: true },
  )
  eModes?: PositionEMode[];

  @Field.Timestamp('Time of the block of these figures.') updatedAt!: string;
}

/** The contract that holds a position for its wallet. */
export class PositionProxy {
  @Field.Word(
    PROXY_KINDS,
    'ds-proxy: the wallet’s proxy of the Maker proxy registry. instadapp: a smart account in which the wallet is an authority. summer: a smart account of Summer.fi that the wallet owns.',
  )
  kind!: (typeof PROXY_KINDS)[number];

  @Field.Address('The contract that the protocol knows as the owner.') address!: string;
}

/** List form of a position. */
export class PositionListItem extends RiskLevelFields {
  @Field.Id('pos', 'Permanent id of the position, the same on every instance.') id!: string;
  @Field.Text('Protocol id.', { example: 'aave-v3' }) protocol!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Market of the protocol on this chain.') market!: string;

  @Optional()
  @Field.Text(
    'Which of the wallet’s positions in the market (Morpho market, trove, sub-account). Absent where a wallet can have only one.',
  )
  subId?: string;

  @Field.Address('Wallet of the position.') wallet!: string;

  @Optional()
  @Field.Object(
    () => PositionProxy,
    'The contract that holds the position for the wallet. Absent where the wallet holds it itself. subId then ends with @ and its address.',
  )
  proxy?: PositionProxy;

  @Field.Number(
    'Below 1 the position can be liquidated. Null without debt, and where the contract never liquidates the debt.',
    { min: 0, nullable: true },
  )
  healthFactor!: number | null;

  @Field.Digits('The exact health factor with 18 decimals; null in the same cases.', { nullable: true })
  healthFactorRaw!: string | null;

  @Optional()
  @Field.Word(
    VERIFICATIONS,
    'Where the health factor comes from. contract: the contract stated it at this block, or the values that it compares when it decides about a liquidation. recomputed: we computed it with the contract’s arithmetic from values that the contract returned. approximate: it rests on an approximation, which docs/coverage.md names. Absent for a closed position, and for a state that an earlier release stored.',
  )
  verification?: Verification;

  @Field.Usd('Collateral, as the protocol counts it.') totalCollateralUsd!: number;
  @Field.Usd('Everything owed.') totalDebtUsd!: number;
  @Field.Usd('Everything supplied: collateral and other supplied assets.') totalSuppliedUsd!: number;
  @Field.Usd('totalSuppliedUsd minus totalDebtUsd.') netWorthUsd!: number;

  @Field.Boolean(
    `Supplied value and debt are both below ${DUST_USD} USD. False when the value of an asset is unknown.`,
  )
  isDust!: boolean;

  @Field.Number(
    'Probability of liquidation within 7 days that decides riskLevel, in closed form and so without sampling error. Null when the health factor decides it or there is no debt.',
    { min: 0, max: 1, nullable: true },
  )
  probability7d!: number | null;

  @Optional()
  @Field.Word(
    POSITION_FLAGS,
    'Other dangers of the position. soft_liquidation: part of its collateral is already sold. redemption: it is among the first that can be redeemed against. recovery_mode: the threshold is raised for the whole system. shutdown: its market is being closed.',
    { list: true },
  )
  flags?: PositionFlagName[];

  @Optional()
  @Field.Integer('Block of these figures. Present only when they could not be read at asOfBlock.', { min: 0 })
  block?: number;
}

/** A part that could not be read. It distinguishes "unknown" from "no position". */
export class Unreadable {
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('The reason, as text.') reason!: string;
}

/** Block of the figures of a chain, with its hash, so that a client can read the same block. */
export class BlockStamp {
  @Field.Integer('Block number of the figures, by chain id.', { min: 0, map: CHAIN_ID })
  asOfBlock!: Record<string, number>;

  @Field.Text('Hash of that block, by chain id.', { pattern: '^0x[0-9a-f]{64}$', map: CHAIN_ID })
  blockHash!: Record<string, string>;
}

/** Blocks and unreadable parts of every response about positions. */
export class ReadState {
  @Field.Object(
    () => Unreadable,
    'Parts that could not be read and may be missing. Empty when all was read.',
    { list: true },
  )
  unreadable!: Unreadable[];

  @Field.Word(SHOWN_CHAIN_STATUSES, 'Status of each requested chain, by chain id, as in GET /v1/chains.', {
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
  @Field.Object(
    () => ListedPosition,
    'Lowest health factor first. assets and updatedAt only with include=assets.',
    { list: true },
  )
  positions!: ListedPosition[];

  @Field.NextCursor() nextCursor!: string | null;
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
  WithReceipt,
) {}

// Only their types: the document shows these fields within other classes.
export type { PositionAssets, PositionEMode };
