import { Type, type Static } from '@sinclair/typebox';
import { PRICE_SOURCES, PRICE_SOURCE_STATES } from '../prices';
import { defineEvent } from './define-event';
import { Nullable, Timestamp, Wei, oneOf } from './fields';

/** What one source says of the asset. */
const PriceQuote = Type.Object({
  source: oneOf(PRICE_SOURCES),
  /** Chain of an on-chain feed; null for an API. */
  chainId: Nullable(Type.Integer({ minimum: 1 })),
  state: oneOf(PRICE_SOURCE_STATES),
  /** The last answer; null when there was none. */
  priceUsd: Nullable(Type.Number({ exclusiveMinimum: 0 })),
  /** When the source says that this was the price. */
  observedAt: Nullable(Timestamp),
  /** The longest silence that is usual for this source, milliseconds. */
  heartbeatMs: Type.Integer({ minimum: 1 }),
});

/**
 * The price of an asset: the median of the sources that are fresh and agree. Published when it moves, when a flag or the
 * state of a source changes, and at least once every heartbeatMs.
 */
const PriceV1Schema = Type.Object({
  /** As priceSymbol gives it. */
  asset: Type.String({ minLength: 1 }),
  /** The last known one while isStale. */
  priceUsd: Type.Number({ exclusiveMinimum: 0 }),
  /** The same price as an integer with priceDecimals. */
  priceRaw: Wei,
  priceDecimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /** Percent over 24 hours; null until the price of a day ago is known. */
  change24h: Nullable(Type.Number()),
  sources: Type.Array(PriceQuote),
  /** Highest less lowest of the sources that answered in time, percent of the median; null with fewer than two. */
  spreadPercent: Nullable(Type.Number({ minimum: 0 })),
  /** No source is fresh: the price is the last known one. */
  isStale: Type.Boolean(),
  /** The sources disagree by more than the limit of the asset. */
  isDeviating: Type.Boolean(),
  /** Price less peg, percent of the peg; null for an asset without a peg. */
  pegDeviationPercent: Nullable(Type.Number()),
  /** Further from the peg than its limit; false without a peg. */
  isDepegged: Type.Boolean(),
  /** When the newest source in the median observed it; while isStale, when the last known price was observed. */
  observedAt: Timestamp,
  publishedAt: Timestamp,
  /** The longest silence of this topic for an asset, milliseconds: after twice that market-data is away. */
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
