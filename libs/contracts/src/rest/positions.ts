import { type Static, Type } from '@sinclair/typebox';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { SHOWN_CHAIN_STATUSES } from '../chains';
import { DUST_USD } from '../dust';
import { POSITION_FLAGS } from '../position-flags';
import {
  byChain,
  digits,
  nextCursor,
  nullable,
  oneOf,
  recordId,
  shownAddress,
  timestamp,
  usd,
} from './fields';
import { Optional } from './optional';
import { PageQuery } from './paging';
import { WithRiskThresholds, riskLevelFields } from './risk-level';

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
export const PositionAsset = Type.Object({
  asset: Type.String({ description: 'Symbol.', examples: ['WETH'] }),
  amount: Type.Number({ description: 'Whole tokens, including interest up to the block.' }),
  usdValue: usd('Value at the price of the protocol’s own oracle.'),
  address: shownAddress('Token contract.'),
  amountRaw: digits('Exact amount in the token’s smallest unit.'),
  decimals: Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of amountRaw.' }),
  priceRaw: digits(
    'Exact price of one whole token from the protocol’s own oracle, in the market’s base currency. Multiply by usdPerBaseRaw for USD.',
  ),
  priceDecimals: Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of priceRaw.' }),
  priceUsd: Type.Optional(usd('The same price.')),
  oracle: shownAddress('Contract that provides the price.'),
  liquidationThresholdBps: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Basis points of the value that count as weighted collateral. Collateral only.',
    }),
  ),
  usedAsCollateral: Type.Optional(
    Type.Boolean({ description: 'False: supplied, but not counted as collateral. Collateral only.' }),
  ),
  supplyRate: Type.Optional(
    Type.Number({
      description:
        'Yearly supply rate at the block, as a fraction: 0.02 is 2 %. Collateral only. Absent when the rate is not read.',
    }),
  ),
  borrowRate: Type.Optional(
    Type.Number({
      description:
        'Yearly borrow rate at the block, as a fraction: 0.05 is 5 %. Debt only. Absent when the rate is not read.',
    }),
  ),
});
export type PositionAsset = Static<typeof PositionAsset>;

/** An e-mode that a position may enter, with its figures there. */
const PositionEMode = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 255, description: 'Id of the category in the pool.' }),
  label: Type.String({ description: 'Name of the category from the protocol’s contract.' }),
  healthFactor: Type.Number({
    minimum: 0,
    description: 'Health factor in this category, at the same block.',
  }),
  healthFactorRaw: digits('The same with 18 decimals, as the contract would compute it.'),
  collateral: Type.Array(
    Type.Object({
      address: shownAddress('Token contract.'),
      liquidationThresholdBps: Type.Integer({
        minimum: 0,
        description: 'Basis points of the asset’s value that count in this category.',
      }),
    }),
    { description: 'Weighted collateral in this category.' },
  ),
});
export type PositionEMode = Static<typeof PositionEMode>;

/** Fields of the detail form that the list form lacks. */
const PositionAssets = Type.Object({
  collateralAssets: Type.Array(PositionAsset, { description: 'Supplied assets.' }),
  debtAssets: Type.Array(PositionAsset, { description: 'Borrowed assets.' }),
  usdPerBaseRaw: Type.Optional(
    digits(
      'USD value, with 18 decimals, of one unit of the market’s base currency at the block: 1000000000000000000 when it is USD. 0: no oracle of the chain prices that currency, and all its USD figures are 0.',
    ),
  ),
  eModes: Type.Optional(
    Type.Array(PositionEMode, {
      description:
        'Categories of assets that move together (Aave v3) which the wallet may enter now and in which its health factor is higher, the safest first. Absent without any.',
    }),
  ),
  updatedAt: timestamp('Time of the block of these figures.'),
});
export type PositionAssets = Static<typeof PositionAssets>;

/** List form of a position. */
export const PositionListItem = Type.Object({
  id: recordId('pos', 'Permanent id of the position, the same on every instance.'),
  protocol: Type.String({ description: 'Protocol id.', examples: ['aave-v3'] }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  market: Type.String({ description: 'Market of the protocol on this chain.' }),
  subId: Type.Optional(
    Type.String({
      description:
        'Which of the wallet’s positions in the market (Morpho market, trove, sub-account). Absent where a wallet can have only one.',
    }),
  ),
  wallet: shownAddress('Wallet of the position.'),
  healthFactor: nullable(
    Type.Number({ minimum: 0 }),
    'Below 1 the position can be liquidated. Null without debt.',
  ),
  healthFactorRaw: nullable(
    digits('Health factor with 18 decimals.'),
    'The exact health factor with 18 decimals; null without debt.',
  ),
  totalCollateralUsd: usd('Collateral, as the protocol counts it.'),
  totalDebtUsd: usd('Everything owed.'),
  totalSuppliedUsd: usd('Everything supplied: collateral and other supplied assets.'),
  netWorthUsd: usd('totalSuppliedUsd minus totalDebtUsd.'),
  isDust: Type.Boolean({
    description: `Supplied value and debt are both below ${DUST_USD} USD. False when the value of an asset is unknown.`,
  }),
  ...riskLevelFields,
  probability7d: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Probability of liquidation within 7 days that decides riskLevel. Null when the health factor decides it or there is no debt.',
  ),
  flags: Type.Optional(
    Type.Array(oneOf(POSITION_FLAGS), {
      description:
        'Other dangers of the position. soft_liquidation: part of its collateral is already sold. redemption: it is among the first that can be redeemed against. recovery_mode: the threshold is raised for the whole system. shutdown: its market is being closed.',
    }),
  ),
  block: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Block of these figures. Present only when they could not be read at asOfBlock.',
    }),
  ),
});
export type PositionListItem = Static<typeof PositionListItem>;

/** A part that could not be read. It distinguishes "unknown" from "no position". */
export const Unreadable = Type.Object({
  protocol: Type.String({ description: 'Protocol id.' }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  reason: Type.String({ description: 'The reason, as text.' }),
});
export type Unreadable = Static<typeof Unreadable>;

/** Block of the figures of a chain, with its hash, so that a client can read the same block. */
export const BlockStamp = Type.Object({
  asOfBlock: byChain(Type.Integer({ minimum: 0 }), 'Block number of the figures, by chain id.'),
  blockHash: byChain(Type.String({ pattern: '^0x[0-9a-f]{64}$' }), 'Hash of that block, by chain id.'),
});
export type BlockStamp = Static<typeof BlockStamp>;

/** Blocks and unreadable parts of every response about positions. */
export const ReadState = Type.Object({
  unreadable: Type.Array(Unreadable, {
    description: 'Parts that could not be read and may be missing. Empty when all was read.',
  }),
  chainStatus: byChain(
    oneOf(SHOWN_CHAIN_STATUSES),
    'Status of each requested chain, by chain id, as in GET /v1/chains.',
  ),
});
export type ReadState = Static<typeof ReadState>;

/** Response of GET /v1/positions. */
export const PositionList = Type.Composite([
  Type.Object({
    positions: Type.Array(Type.Composite([PositionListItem, Type.Partial(PositionAssets)]), {
      description: 'Lowest health factor first. assets and updatedAt only with include=assets.',
    }),
  }),
  WithRiskThresholds,
  BlockStamp,
  ReadState,
  Type.Object({ nextCursor }),
]);
export type PositionList = Static<typeof PositionList>;

/** Response of GET /v1/positions/:id: detail form. */
export const PositionDetail = Type.Composite([
  PositionListItem,
  PositionAssets,
  WithRiskThresholds,
  ReadState,
  BlockStamp,
]);
export type PositionDetail = Static<typeof PositionDetail>;
