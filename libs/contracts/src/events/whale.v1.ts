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
});

export type WhaleV1 = Static<typeof WhaleV1Schema>;

export const whaleV1 = defineEvent({
  topic: 'whale.v1',
  schema: WhaleV1Schema,
  compacted: false,
  keyOf: (value) => value.wallet,
});
