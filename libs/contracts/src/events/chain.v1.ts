import { Type, type Static } from '@sinclair/typebox';
import { CHAIN_STATUSES } from '../protocols';
import { defineEvent } from './define-event';
import { Hash, Nullable, Timestamp, oneOf } from './fields';

/** Totals of a market at the protocol's oracle prices. */
const MarketTotals = Type.Object({
  suppliedUsd: Type.Number({ minimum: 0 }),
  borrowedUsd: Type.Number({ minimum: 0 }),
  /** Borrowed divided by supplied of each reserve, weighted by its borrowed value. 0 without debt. */
  utilisation: Type.Number({ minimum: 0 }),
  block: Type.Integer({ minimum: 0 }),
});

/** One row of the registry on this chain. */
const ChainMarket = Type.Object({
  protocol: Type.String({ minLength: 1 }),
  market: Type.String({ minLength: 1 }),
  /** Why the row cannot be read, or null. */
  failure: Nullable(Type.String({ minLength: 1 })),
  /** The totals that were read last. Null where no reader provides them. */
  totals: Nullable(MarketTotals),
  /** The newest block at which it was read. Null before the first. Absent in events of earlier releases. */
  lastRead: Type.Optional(Nullable(Type.Object({ number: Type.Integer({ minimum: 0 }), time: Timestamp }))),
});

/** Full state of a chain, published when it changes and at least once every heartbeatMs. */
const ChainV1Schema = Type.Object({
  chainId: Type.Integer({ minimum: 1 }),
  status: oneOf(CHAIN_STATUSES),
  /** The newest block. Null before the first. */
  head: Nullable(
    Type.Object({ number: Type.Integer({ minimum: 0 }), hash: Hash, time: Timestamp, seenAt: Timestamp }),
  ),
  /** Blocks between the head and the last block whose positions were read. Null before the first. */
  lagBlocks: Nullable(Type.Integer({ minimum: 0 })),
  /** Seconds, measured over the last blocks. Null with fewer than two blocks. */
  avgBlockTime: Nullable(Type.Number({ minimum: 0 })),
  markets: Type.Array(ChainMarket),
  /**
   * Time from the timestamp of a block to the commit of its events: the 95th percentile of the blocks that were
   * handled in the last minute. Absent without one, and in events of earlier releases.
   */
  eventLatency: Type.Optional(
    Type.Object({ blocks: Type.Integer({ minimum: 1 }), p95Ms: Type.Number({ minimum: 0 }) }),
  ),
  updatedAt: Timestamp,
  /** The longest time without an event of a chain, in milliseconds. */
  heartbeatMs: Type.Integer({ minimum: 1 }),
});

export type ChainV1 = Static<typeof ChainV1Schema>;
export type ChainMarketV1 = Static<typeof ChainMarket>;

export const chainV1 = defineEvent({
  topic: 'chain.v1',
  schema: ChainV1Schema,
  compacted: true,
  keyOf: (value) => String(value.chainId),
});
