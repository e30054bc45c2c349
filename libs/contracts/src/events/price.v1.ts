import { Type, type Static } from '@sinclair/typebox';
import { PRICE_SOURCES, PRICE_SOURCE_STATES } from '../prices';
import { defineEvent } from './define-event';
import { Nullable, Timestamp, Wei, oneOf } from './fields';

/** The price from one source. */
const PriceQuote = Type.Object({
  source: oneOf(PRICE_SOURCES),
  /** Chain of an on-chain feed. Null for an API. */
  chainId: Nullable(Type.Integer({ minimum: 1 })),
  state: oneOf(PRICE_SOURCE_STATES),
  /** The last price. Null when there was none. */
  priceUsd: Nullable(Type.Number({ exclusiveMinimum: 0 })),
  /** The time that the source states for this price. */
  observedAt: Nullable(Timestamp),
  /** The longest usual time between updates of this source, in milliseconds. */
  heartbeatMs: Type.Integer({ minimum: 1 }),
});

/**
 * The price of an asset: the median of the sources that are fresh and agree. Published when it moves, when a
 * flag or the state of a source changes, and at least once every heartbeatMs.
 */
const PriceV1Schema = Type.Object({
  /** Named by priceSymbol. */
  asset: Type.String({ minLength: 1 }),
  /** The last known price while isStale. */
  priceUsd: Type.Number({ exclusiveMinimum: 0 }),
  /** The same price as an integer with priceDecimals. */
  priceRaw: Wei,
  priceDecimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /** Percent over 24 hours. Null until the price of a day ago is known. */
  change24h: Nullable(Type.Number()),
  sources: Type.Array(PriceQuote),
  /**
   * Highest minus lowest price of the sources that responded in time, in percent of the median. Null with
   * fewer than two sources.
   */
  spreadPercent: Nullable(Type.Number({ minimum: 0 })),
  /** No source is fresh. The price is the last known one. */
  isStale: Type.Boolean(),
  /** The sources disagree by more than the limit of the asset. */
  isDeviating: Type.Boolean(),
  /** Price minus peg, in percent of the peg. Null for an asset without a peg. */
  pegDeviationPercent: Nullable(Type.Number()),
  /** The price is further from the peg than its limit. False without a peg. */
  isDepegged: Type.Boolean(),
  /**
   * When the newest source in the median observed the price. While isStale, when the last known price was
   * observed.
   */
  observedAt: Timestamp,
  publishedAt: Timestamp,
  /**
   * The longest time without an event of an asset, in milliseconds. After twice that time market-data is
   * unavailable.
   */
  heartbeatMs: Type.Integer({ minimum: 1 }),
});

export type PriceV1 = Static<typeof PriceV1Schema>;
export type PriceQuoteV1 = Static<typeof PriceQuote>;

export const priceV1 = defineEvent({
  topic: 'price.v1',
  schema: PriceV1Schema,
  compacted: true,
  keyOf: (value) => value.asset,
});
