import { type Static, Type as Schema } from '@sinclair/typebox';
import { Type } from 'class-transformer';
import { IsEthereumAddress, IsIn, IsInt, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  CLUSTER_EVIDENCE,
  WHALE_ACTIONS,
  WHALE_EFFECT_REASONS,
  WHALE_PRICE_BASES,
  type WhaleAction,
} from '../whales';
import {
  digits,
  itemCount,
  nextCursor,
  nullable,
  oneOf,
  recordId,
  shownAddress,
  timestamp,
  usd,
} from './fields';
import { IsMoment } from './moment';
import { Optional } from './optional';
import { PageQuery } from './paging';

/** Query of GET /v1/whales/activity. */
export class ListWhaleActivityQuery extends PageQuery {
  @JSONSchema({ description: 'Only moves of this wallet.', pattern: '^0x[0-9a-fA-F]{40}$' })
  @Optional()
  @IsEthereumAddress()
  wallet?: string;

  @JSONSchema({ description: 'Only moves in this protocol; its id.' })
  @Optional()
  @IsString()
  @MaxLength(64)
  protocol?: string;

  @JSONSchema({ description: 'Only moves on this chain; its id.' })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(2 ** 53 - 1)
  chain?: number;

  @JSONSchema({ description: 'Only moves of this kind.' })
  @Optional()
  @IsIn(WHALE_ACTIONS)
  action?: WhaleAction;

  @JSONSchema({
    description:
      'Only moves of at least this value, USD. Absent: the whale threshold of the service. A lower value also shows smaller indexed moves.',
  })
  @Optional()
  @Type(() => Number)
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  minUsd?: number;

  @JSONSchema({ description: 'Only moves in blocks of this time (ISO 8601) or later.', format: 'date-time' })
  @Optional()
  @IsMoment()
  since?: string;
}

const REASONS = `One of ${WHALE_EFFECT_REASONS.join(', ')}; later releases may add words.`;
const reason = (of: string) => nullable(Schema.String(), `Why ${of} is null. Null otherwise. ${REASONS}`);
const rate = (what: string) =>
  nullable(Schema.Number(), `${what}, a year: 0.05 is 5 %. Null: not available.`);

/** A move of a whale. */
export const WhaleActivityItem = Schema.Object({
  id: recordId('act', 'Id of the move: one log in one block.'),
  wallet: shownAddress(
    'The wallet whose position moved. For a liquidation in Fluid, which names no position, the vault.',
  ),
  action: oneOf(WHALE_ACTIONS, {
    description:
      'The action. liquidation: what was taken from the wallet. transfer: the wallet gave its position to another wallet.',
  }),
  protocol: Schema.String({ description: 'Protocol id.' }),
  asset: Schema.String({ description: 'Symbol that the token itself reports.' }),
  amount: Schema.Number({ minimum: 0, description: 'Whole tokens.' }),
  usdValue: usd('At the price of the market’s oracle. priceBasis states the block.'),
  timestamp: timestamp('Time of the block.'),
  chainId: Schema.Integer({ description: 'Chain id.' }),
  market: Schema.String({ description: 'Market of the protocol.' }),
  counterparty: nullable(
    shownAddress('An address.'),
    'The address that paid, received or liquidated, when it is not the wallet. Null otherwise.',
  ),
  assetAddress: shownAddress('The token.'),
  amountRaw: digits('The amount in the token’s smallest unit.'),
  decimals: Schema.Integer({ minimum: 0, description: 'Decimals of the token.' }),
  priceBasis: oneOf(WHALE_PRICE_BASES, {
    description:
      'block: price at the block of the move. head: price at the newest block, because the node keeps no older state.',
  }),
  block: Schema.Integer({ minimum: 0, description: 'Block number.' }),
  blockHash: Schema.String({ description: 'Hash of that block.' }),
  transactionHash: Schema.String({ description: 'Transaction of the move.' }),
  logIndex: Schema.Integer({ minimum: 0, description: 'Index of its log in the block.' }),
  counterpartyLabel: nullable(
    Schema.Object({
      kind: Schema.String({
        description:
          'deployer, router, exchange, bridge, protocol or fee_collector. Later releases may add words.',
      }),
      name: Schema.String({ description: 'Its public name.' }),
    }),
    'Label of the counterparty, when it is known to be a service or a contract of a protocol.',
  ),
  shareOfPoolPercent: nullable(
    Schema.Number({ minimum: 0 }),
    'The amount in percent of the market’s supplied total (for a borrow, repay or liquidation: its borrowed total) of the asset in the block before.',
  ),
  shareOfPoolReason: reason('shareOfPoolPercent'),
  healthFactorBefore: nullable(
    Schema.Number({ minimum: 0 }),
    'Health factor of the position in the block before the move, from the contract.',
  ),
  healthFactorAfter: nullable(
    Schema.Number({ minimum: 0 }),
    'Health factor of the position at the end of the block of the move.',
  ),
  healthFactorReason: reason('one of the two health factors'),
  rateEffect: nullable(
    Schema.Object({
      supplyRateBefore: rate('Paid to suppliers of the asset in the block before'),
      supplyRateAfter: rate('The same at the end of the block of the move'),
      borrowRateBefore: rate('Charged to its borrowers in the block before'),
      borrowRateAfter: rate('The same at the end of the block of the move'),
    }),
    'Rates of the asset in this market before and after the move.',
  ),
  rateEffectReason: reason('rateEffect'),
});
export type WhaleActivityItem = Static<typeof WhaleActivityItem>;

/** Response of GET /v1/whales/activity. */
export const WhaleActivityList = Schema.Object({
  activity: Schema.Array(WhaleActivityItem, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type WhaleActivityList = Static<typeof WhaleActivityList>;

/** Wallets that probably have one owner. */
export const WhaleClusterItem = Schema.Object({
  id: recordId('wc', 'Id of the cluster. It stays the same while the cluster exists.'),
  walletCount: Schema.Integer({ minimum: 2, description: 'Its wallets.' }),
  totalValueUsd: usd(
    'Net value of its positions, from the indexed moves, at the latest prices. Never below 0.',
  ),
  dominantProtocol: Schema.String({ description: 'Id of the protocol with the largest moved value.' }),
});
export type WhaleClusterItem = Static<typeof WhaleClusterItem>;

/** Response of GET /v1/whales/clusters. */
export const WhaleClusterList = Schema.Object({
  clusters: Schema.Array(WhaleClusterItem, { description: 'Highest totalValueUsd first.' }),
  count: itemCount,
  nextCursor,
});
export type WhaleClusterList = Static<typeof WhaleClusterList>;

/** Why two wallets are in one cluster. */
export const ClusterEvidenceItem = Schema.Object({
  kind: oneOf(CLUSTER_EVIDENCE, {
    description:
      'owner: one owns the other. position_transfer: a position moved from one to the other. delegate: the same delegate may act for both. acting_for: one paid for the other. first_funder: one sent the other its first tokens. mutual_transfers: tokens moved both ways. same_block: the same moves in the same blocks. synchronous: the same moves shortly after each other, more often than by chance.',
  }),
  wallets: Schema.Array(shownAddress('A wallet.'), { minItems: 2, maxItems: 2, description: 'The two.' }),
  weight: Schema.Number({ minimum: 0, maximum: 1, description: 'Strength of the evidence. 1: certain.' }),
  chainId: Schema.Integer({ description: 'Chain of the evidence.' }),
  block: Schema.Integer({ minimum: 0, description: 'Block in which it first appeared.' }),
});
export type ClusterEvidenceItem = Static<typeof ClusterEvidenceItem>;

/** Response of GET /v1/whales/clusters/:id. */
export const WhaleClusterAnswer = Schema.Object({
  cluster: Schema.Composite([
    WhaleClusterItem,
    Schema.Object({
      wallets: Schema.Array(
        Schema.Object({
          wallet: shownAddress('The wallet.'),
          valueUsd: usd('Net value of its positions.'),
        }),
        { description: 'Highest value first; the first 1,000.' },
      ),
      evidence: Schema.Array(ClusterEvidenceItem, { description: 'Strongest first; the first 1,000.' }),
      updatedAt: timestamp('When it was last computed.'),
    }),
  ]),
});
export type WhaleClusterAnswer = Static<typeof WhaleClusterAnswer>;
