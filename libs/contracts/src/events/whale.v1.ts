import { Type, type Static } from '@sinclair/typebox';
import { WHALE_ACTIONS, WHALE_PRICE_BASES, WHALE_STATUSES } from '../whales';
import { defineEvent } from './define-event';
import { Address, Hash, Nullable, RecordId, Timestamp, Wei, oneOf } from './fields';

/** A wallet moved at least the whale threshold, or the block of an earlier move was orphaned. */
const WhaleV1Schema = Type.Object({
  /** Id of this log in this block. The same transaction in another block is another activity. */
  activityId: RecordId('act'),
  /** reverted: cancels the earlier event with the same activityId. */
  status: oneOf(WHALE_STATUSES),
  wallet: Address,
  /** The address that paid, received or liquidated, when it is not the wallet itself. */
  counterparty: Nullable(Address),
  action: oneOf(WHALE_ACTIONS),
  protocol: Type.String({ minLength: 1 }),
  chainId: Type.Integer({ minimum: 1 }),
  market: Type.String(),
  /** Symbol that the token itself reports. */
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
  /** Time of the block. */
  timestamp: Timestamp,
  // Events of earlier releases lack all following fields. A reason states why the figure before it is null.
  /**
   * The amount in percent of the market's supplied (for a borrow or repay: borrowed) total of the asset in
   * the block before.
   */
  shareOfPoolPercent: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
  shareOfPoolReason: Type.Optional(Nullable(Type.String())),
  /** Health factor of the wallet's position in the block before and in the block of the move. */
  healthFactorBefore: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
  healthFactorAfter: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
  healthFactorReason: Type.Optional(Nullable(Type.String())),
  /** Yearly rates in the block before and in the block of the move; 0.05 is 5 %. */
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
  /** Label of the counterparty when it is not a wallet of a user. */
  counterpartyLabel: Type.Optional(Nullable(Type.Object({ kind: Type.String(), name: Type.String() }))),
});

export type WhaleV1 = Static<typeof WhaleV1Schema>;

export const whaleV1 = defineEvent({
  topic: 'whale.v1',
  schema: WhaleV1Schema,
  compacted: false,
  keyOf: (value) => value.wallet,
});
