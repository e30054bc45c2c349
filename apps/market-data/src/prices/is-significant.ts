import type { PriceV1 } from '@plimsoll/contracts';
import { distancePercent } from '../sources/price-raw';

/** When a price is significant enough for an event. */
export interface SignificancePolicy {
  moveBps: number;
  heartbeatMs: number;
}

/** Heartbeat events come this much earlier, so that the stated interval includes their transit time. */
const HEARTBEAT_SHARE = 0.8;

/**
 * Returns whether a price needs an event: it moved, a flag or the state of a source changed, or the heartbeat
 * is due.
 */
export function isSignificant(
  before: PriceV1 | undefined,
  after: PriceV1,
  nowMs: number,
  { moveBps, heartbeatMs }: SignificancePolicy,
): boolean {
  if (before === undefined) return true;
  if (nowMs - Date.parse(before.publishedAt) >= HEARTBEAT_SHARE * heartbeatMs) return true;
  if (flagsOf(before) !== flagsOf(after)) return true;
  if (before.priceRaw === after.priceRaw) return false;
  return distancePercent(BigInt(after.priceRaw), BigInt(before.priceRaw)) * 100 >= moveBps;
}

function flagsOf({ isStale, isDeviating, isDepegged, sources }: PriceV1): string {
  const states = sources.map(({ source, chainId, state }) => `${source}:${chainId}:${state}`);
  return [isStale, isDeviating, isDepegged, ...states].join();
}
