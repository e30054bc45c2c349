import { Type, type Static } from '@sinclair/typebox';
import { WHALE_ACTIONS, WHALE_PRICE_BASES, WHALE_STATUSES } from '../whales';
import { defineEvent } from './define-event';
import { Address, Hash, Nullable, RecordId, Timestamp, Wei, oneOf } from './fields';

/** A wallet moved at least the whale threshold; or the block in which it did is not part of the chain any more. */
const WhaleV1Schema = Type.Object({
  /** Of this log in this block: the same transaction in another block is another activity. */
  activityId: RecordId('act'),
  /** reverted: takes back the event of the same activityId before it. */
  status: oneOf(WHALE_STATUSES),
  wallet: Address,
  /** Who paid, received or liquidated, where that is somebody else. */
  counterparty: Nullable(Address),
  action: oneOf(WHALE_ACTIONS),
  protocol: Type.String({ minLength: 1 }),
  chainId: Type.Integer({ minimum: 1 }),
  market: Type.String(),
  /** Symbol of the token, as the token names itself. */
  asset: Type.String({ minLength: 1 }),
  assetAddress: Address,
  /** In whole tokens. */
  amount: Type.Number({ minimum: 0 }),
  amountRaw: Wei,
  decimals: Type.Integer({ minimum: 0, maximum: 255 }),
  usdValue: Type.Number({ minimum: 0 }),
  priceBasis: oneOf(WHALE_PRICE_BASES),
  block: Type.Integer({ minimum: 0 }),
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Type.Integer({ minimum: 0 }),
  /** Of the block. */
  timestamp: Timestamp,
  // All of the following are absent in events of earlier releases. A reason says why a figure before it is null.
  /** The amount in percent of what the market held (or lent, of a borrow or repay) of the asset in the block before. */
  shareOfPoolPercent: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
  shareOfPoolReason: Type.Optional(Nullable(Type.String())),
  /** Of the wallet's position in the block before, and in the block of the move. */
  healthFactorBefore: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
  healthFactorAfter: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
  healthFactorReason: Type.Optional(Nullable(Type.String())),
  /** Shares a year, 0.05 being 5 %, in the block before and in the block of the move. */
  rateEffect: Type.Optional(
    Nullable(
      Type.Object({
        supplyRateBefore: Nullable(Type.Number()),
        supplyRateAfter: Nullable(Type.Number()),
        borrowRateBefore: Nullable(Type.Number()),
        borrowRateAfter: Nullable(Type.Number()),
      }),
    ),
  ),
  rateEffectReason: Type.Optional(Nullable(Type.String())),
  /** Of the counterparty, where it is known to be no wallet of its own. */
  counterpartyLabel: Type.Optional(Nullable(Type.Object({ kind: Type.String(), name: Type.String() }))),
});

export type WhaleV1 = Static<typeof WhaleV1Schema>;

export const whaleV1 = defineEvent({
  topic: 'whale.v1',
  schema: WhaleV1Schema,
  compacted: false,
  keyOf: (value) => value.wallet,
});
