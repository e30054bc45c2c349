import { Type, type Static } from '@sinclair/typebox';
import { CHAIN_STATUSES } from '../chains';
import { defineEvent } from './define-event';
import { Hash, Nullable, Timestamp, oneOf } from './fields';

/** All that a market holds, at the protocol's oracle prices. */
const MarketTotals = Type.Object({
  suppliedUsd: Type.Number({ minimum: 0 }),
  borrowedUsd: Type.Number({ minimum: 0 }),
  /** Borrowed over supplied of each reserve, weighted by what is borrowed of it; 0 without debt. */
  utilisation: Type.Number({ minimum: 0 }),
  block: Type.Integer({ minimum: 0 }),
});

/** One row of the registry on this chain. */
const ChainMarket = Type.Object({
  protocol: Type.String({ minLength: 1 }),
  market: Type.String({ minLength: 1 }),
  /** Why the row cannot be read; null when it can. */
  failure: Nullable(Type.String({ minLength: 1 })),
  /** The last ones that were read; null where no reader gives any. */
  totals: Nullable(MarketTotals),
});

/** Full state of a chain, published when it changes and at least once every heartbeatMs. */
const ChainV1Schema = Type.Object({
  chainId: Type.Integer({ minimum: 1 }),
  status: oneOf(CHAIN_STATUSES),
  /** The newest block that was seen; null before the first. */
  head: Nullable(
    Type.Object({ number: Type.Integer({ minimum: 0 }), hash: Hash, time: Timestamp, seenAt: Timestamp }),
  ),
  /** Blocks between the head and the last one whose positions were read; null before the first. */
  lagBlocks: Nullable(Type.Integer({ minimum: 0 })),
  /** Measured over the last blocks, seconds; null until two were seen. */
  avgBlockTime: Nullable(Type.Number({ minimum: 0 })),
  markets: Type.Array(ChainMarket),
  updatedAt: Timestamp,
  /** The longest silence of this topic for a chain, milliseconds. */
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
