import type { PriceV1 } from '@plimsoll/contracts';
import { sourceAgreement } from './source-agreement';

/** A price is stale after this many of its heartbeats without price.v1. */
const SILENT_AFTER_HEARTBEATS = 2;

/** Stored price of an asset. Times are in milliseconds since 1970. */
export interface AssetPrice {
  /** As price.v1 names it. */
  asset: string;
  /** USD. The last known price while isStale. */
  priceUsd: number;
  /** Number of counted sources. Null for a price that an earlier release stored. */
  sources: number | null;
  /** Spread of these sources, percent. Null with fewer than two. */
  spreadPercent: number | null;
  /** No source is fresh, or no event arrived in time. */
  isStale: boolean;
  /** When its newest source observed it. */
  observedAtMs: number;
  publishedAtMs: number;
  /** Without an event until this time, the price is stale. */
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
