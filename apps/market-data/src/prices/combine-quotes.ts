import { PRICE_SOURCES, type PriceSource, type PriceSourceState } from '@plimsoll/contracts';
import type { Asset } from '../assets/asset-table';
import type { Quote } from '../sources/price-source';
import { distancePercent, medianRaw, toPriceRaw } from '../sources/price-raw';

/** A source with its last quote of the asset. */
export interface SourceView {
  source: PriceSource;
  chainId: number | null;
  heartbeatMs: number;
  /** The source does not respond, or not for this asset. */
  isDown: boolean;
  isSequencerDown: boolean;
  quote: Quote | null;
}

/** A price that was known before. */
export interface KnownPrice {
  priceRaw: bigint;
  observedAtMs: number;
}

/** The price of an asset from its sources. */
export interface CombinedPrice extends KnownPrice {
  sources: (SourceView & { state: PriceSourceState })[];
  /** Percent of the median. Null with fewer than two fresh sources. */
  spreadPercent: number | null;
  isStale: boolean;
  isDeviating: boolean;
  pegDeviationPercent: number | null;
  isDepegged: boolean;
}

/** A source without an update for more than this many heartbeats is stale. See docs/model.md. */
export const STALE_HEARTBEATS = 1.5;
/** Percent from the peg beyond which a coin counts as depegged. */
export const DEPEG_PERCENT = 2;

type Fresh = SourceView & { quote: Quote };
type Judged = CombinedPrice['sources'][number];

/**
 * Returns the median of the sources that are fresh and agree, or the last known price when none is fresh.
 * @param views in any order; a view without a quote is down
 * @returns null when no source ever had a price
 */
export function combineQuotes(
  asset: Asset,
  views: readonly SourceView[],
  known: KnownPrice | null,
  nowMs: number,
): CombinedPrice | null {
  const ordered = [...views].sort(byPrecedence);
  const fresh = ordered.filter((view): view is Fresh => stateOf(view, nowMs) === 'used');
  const used = agreeing(fresh, asset.maxDeviationPercent);
  const sources = ordered.map((view): Judged => {
    const state = stateOf(view, nowMs);
    return { ...view, state: state === 'used' && !used.includes(view as Fresh) ? 'deviant' : state };
  });
  const price = used.length > 0 ? priceOf(used) : (known ?? newest(ordered));
  if (price === null) return null;
  const pegDeviationPercent = asset.pegUsd === undefined ? null : pegDeviation(price.priceRaw, asset.pegUsd);
  return {
    ...price,
    sources,
    spreadPercent: spreadOf(fresh),
    isStale: used.length === 0,
    isDeviating: sources.some(({ state }) => state === 'deviant'),
    pegDeviationPercent,
    isDepegged: pegDeviationPercent !== null && Math.abs(pegDeviationPercent) > DEPEG_PERCENT,
  };
}

/** On-chain feeds come first, because protocols liquidate by them. */
function byPrecedence(a: SourceView, b: SourceView): number {
  return (
    Number(a.chainId === null) - Number(b.chainId === null) ||
    (a.chainId ?? 0) - (b.chainId ?? 0) ||
    PRICE_SOURCES.indexOf(a.source) - PRICE_SOURCES.indexOf(b.source)
  );
}

function stateOf(
  { isDown, isSequencerDown, quote, heartbeatMs }: SourceView,
  nowMs: number,
): PriceSourceState {
  if (isDown || quote === null) return 'down';
  if (isSequencerDown) return 'sequencer_down';
  return nowMs - quote.observedAtMs > STALE_HEARTBEATS * heartbeatMs ? 'stale' : 'used';
}

/**
 * Returns the prices near the median. When two differ, or none is near it, the correct one is unknown and the
 * first one counts.
 */
function agreeing(fresh: readonly Fresh[], maxDeviationPercent: number): Fresh[] {
  if (fresh.length < 2) return [...fresh];
  const median = medianRaw(fresh.map(({ quote }) => quote.priceRaw));
  // Each of two sources is half of their distance away from their median.
  const limit = fresh.length === 2 ? maxDeviationPercent / 2 : maxDeviationPercent;
  const near = fresh.filter(({ quote }) => distancePercent(quote.priceRaw, median) <= limit);
  return near.length > 0 ? near : fresh.slice(0, 1);
}

function priceOf(used: readonly Fresh[]): KnownPrice {
  return {
    priceRaw: medianRaw(used.map(({ quote }) => quote.priceRaw)),
    observedAtMs: Math.max(...used.map(({ quote }) => quote.observedAtMs)),
  };
}

function newest(views: readonly SourceView[]): KnownPrice | null {
  const quotes = views.flatMap(({ quote }) => (quote ? [quote] : []));
  return quotes.sort((a, b) => b.observedAtMs - a.observedAtMs)[0] ?? null;
}

function spreadOf(fresh: readonly Fresh[]): number | null {
  if (fresh.length < 2) return null;
  const prices = fresh.map(({ quote }) => quote.priceRaw);
  const [low, high] = prices.reduce(
    ([min, max], price) => [price < min ? price : min, price > max ? price : max] as const,
    [prices[0]!, prices[0]!] as const,
  );
  return Number(((high - low) * 1_000_000_000n) / medianRaw(prices)) / 1e7;
}

function pegDeviation(priceRaw: bigint, pegUsd: number): number {
  const peg = toPriceRaw(pegUsd);
  return (priceRaw >= peg ? 1 : -1) * distancePercent(priceRaw, peg);
}
