import type { PriceV1 } from '@plimsoll/contracts';
import { sourceAgreement } from './source-agreement';

/** After this many of its heartbeats without price.v1 nothing comes any more (libs/contracts, price.v1). */
const SILENT_AFTER_HEARTBEATS = 2;

/** What alerts keep of the price of an asset; times in milliseconds since 1970. */
export interface AssetPrice {
  /** As price.v1 names it. */
  asset: string;
  /** USD; the last known one while isStale. */
  priceUsd: number;
  /** How many sources count; null: not known of a price that an earlier release stored. */
  sources: number | null;
  /** Of these sources, percent; null with fewer than two. */
  spreadPercent: number | null;
  /** No source is fresh, or nothing was heard any more. */
  isStale: boolean;
  /** When the newest source of it saw it. */
  observedAtMs: number;
  publishedAtMs: number;
  /** When nothing heard until then means that nothing comes. */
  silentAtMs: number;
}

export function assetPrice(event: PriceV1): AssetPrice {
  const { asset, priceUsd, isStale, heartbeatMs } = event;
  const { sources, spreadPercent } = sourceAgreement(event);
  const publishedAtMs = Date.parse(event.publishedAt);
  const silentAtMs = publishedAtMs + SILENT_AFTER_HEARTBEATS * heartbeatMs;
  const observedAtMs = Date.parse(event.observedAt);
  return { asset, priceUsd, sources, spreadPercent, isStale, observedAtMs, publishedAtMs, silentAtMs };
}
