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
      'Wallet addresses, comma-separated: up to 3 on the open tier, 100 above. Absent: the watched wallets of the account. An address in both cases must fit its checksum (EIP-55).',
    pattern: '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40})*$',
  })
  @Optional()
  @IsString()
  @MaxLength(8_192)
  wallet?: string;

  @JSONSchema({ description: 'assets: each position comes with its assets, as in GET /v1/positions/:id.' })
  @Optional()
  @IsIn(['assets'])
  include?: 'assets';
}

/** An asset of a position, with exact figures beside the doubles. */
export const PositionAsset = Type.Object({
  asset: Type.String({ description: 'Symbol.', examples: ['WETH'] }),
  amount: Type.Number({ description: 'Whole tokens, interest up to the block included.' }),
  usdValue: usd('Value at the price of the protocol’s own oracle.'),
  address: shownAddress('Token contract.'),
  amountRaw: digits('Exact amount in the token’s smallest unit.'),
  decimals: Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of amountRaw.' }),
  priceRaw: digits(
    'Exact price of one whole token by the protocol’s own oracle, in the currency that the market counts in: times usdPerBaseRaw it is dollars.',
  ),
  priceDecimals: Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of priceRaw.' }),
  priceUsd: Type.Optional(usd('The same price.')),
  oracle: shownAddress('Contract the price comes from.'),
  liquidationThresholdBps: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Basis points of the value that secure debt. Collateral only.' }),
  ),
  usedAsCollateral: Type.Optional(
    Type.Boolean({ description: 'False: supplied, but securing nothing. Collateral only.' }),
  ),
  supplyRate: Type.Optional(
    Type.Number({
      description:
        'What it earns per year at the block, as a fraction: 0.02 is 2 %. Collateral only; absent where the rate is not read.',
    }),
  ),
  borrowRate: Type.Optional(
    Type.Number({
      description:
        'What it costs per year at the block, as a fraction: 0.05 is 5 %. Debt only; absent where the rate is not read.',
    }),
  ),
});
export type PositionAsset = Static<typeof PositionAsset>;

/** An e-mode that a position may enter, with its figures there. */
const PositionEMode = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: 255, description: 'Id of the category in the pool.' }),
  label: Type.String({ description: 'What the protocol calls it; text from its contract.' }),
  healthFactor: Type.Number({ minimum: 0, description: 'Health factor in it, at the same block.' }),
  healthFactorRaw: digits('The same with 18 decimals, as the contract would have it.'),
  collateral: Type.Array(
    Type.Object({
      address: shownAddress('Token contract.'),
      liquidationThresholdBps: Type.Integer({
        minimum: 0,
        description: 'Basis points of its value that secure debt there.',
      }),
    }),
    { description: 'What the collateral counts for in it.' },
  ),
});
export type PositionEMode = Static<typeof PositionEMode>;

/** Fields of the detail form that the list form lacks. */
const PositionAssets = Type.Object({
  collateralAssets: Type.Array(PositionAsset, { description: 'Supplied assets.' }),
  debtAssets: Type.Array(PositionAsset, { description: 'Borrowed assets.' }),
  usdPerBaseRaw: Type.Optional(
    digits(
      'Dollars, with 18 decimals, that one unit of the currency is worth that the market counts in, at the block: 1000000000000000000 where it counts in dollars. 0: no oracle of the chain prices that currency, and all figures in USD are 0 for it.',
    ),
  ),
  eModes: Type.Optional(
    Type.Array(PositionEMode, {
      description:
        'Categories of assets that move together (Aave v3) which the wallet may enter as it stands and in which its health factor is higher; the safest first. Absent where there are none.',
    }),
  ),
  updatedAt: timestamp('Time of the block of these figures.'),
});
export type PositionAssets = Static<typeof PositionAssets>;

/** List form of a position. */
export const PositionListItem = Type.Object({
  id: recordId('pos', 'Id of the position; the same on every instance and for ever.'),
  protocol: Type.String({ description: 'Protocol id.', examples: ['aave-v3'] }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  market: Type.String({ description: 'Market of the protocol on this chain.' }),
  subId: Type.Optional(
    Type.String({
      description:
        'Which of the wallet’s positions in the market (Morpho market, trove, sub-account); absent where it can have only one.',
    }),
  ),
  wallet: shownAddress('Wallet that holds the position.'),
  healthFactor: nullable(
    Type.Number({ minimum: 0 }),
    'Below 1 the position can be liquidated; null without debt, for which there is no number.',
  ),
  healthFactorRaw: nullable(
    digits('Health factor with 18 decimals.'),
    'The exact health factor with 18 decimals; null without debt.',
  ),
  totalCollateralUsd: usd('What secures the debt, as the protocol counts it.'),
  totalDebtUsd: usd('Everything owed.'),
  totalSuppliedUsd: usd('Everything supplied: collateral, and what is supplied without securing debt.'),
  netWorthUsd: usd('totalSuppliedUsd less totalDebtUsd.'),
  isDust: Type.Boolean({
    description: `Supplied and owed are both worth less than ${DUST_USD} USD. Never where the value of an asset is unknown.`,
  }),
  ...riskLevelFields,
  probability7d: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Probability of liquidation within 7 days that decides riskLevel; null where the health factor decides it or there is no debt.',
  ),
  flags: Type.Optional(
    Type.Array(oneOf(POSITION_FLAGS), {
      description:
        'What it is exposed to beside liquidation. soft_liquidation: part of its collateral is already sold. redemption: it can be redeemed against before others are. recovery_mode: the threshold is raised for the whole system. shutdown: its market is being wound down.',
    }),
  ),
  block: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Block of these figures. Only where it is not the one of asOfBlock: they could not be read there.',
    }),
  ),
});
export type PositionListItem = Static<typeof PositionListItem>;

/** A part that could not be read. Without it a response would wrongly mean "no position". */
export const Unreadable = Type.Object({
  protocol: Type.String({ description: 'Protocol id.' }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  reason: Type.String({ description: 'Why, for people.' }),
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
    description: 'What could not be read and may be missing here; empty when all was read.',
  }),
  chainStatus: byChain(
    oneOf(SHOWN_CHAIN_STATUSES),
    'Status of each chain that was asked for, by chain id, as in GET /v1/chains.',
  ),
});
export type ReadState = Static<typeof ReadState>;

/** Response of GET /v1/positions. */
export const PositionList = Type.Composite([
  Type.Object({
    positions: Type.Array(Type.Composite([PositionListItem, Type.Partial(PositionAssets)]), {
      description: 'Lowest health factor first; assets and updatedAt only with include=assets.',
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
