import type { PriceRange } from '../../prices/price-window';
import { PRICE_MARGIN } from './condition';

/** The threshold of a rule on a price. */
export interface PriceThreshold {
  positionId: string;
  /** As price.v1 names it. */
  asset: string;
  /** USD. */
  conditionValue: number;
}

/** Thresholds that a price may have crossed in either direction, including the margin of clearing. */
export interface ThresholdRange extends PriceRange {
  asset: string;
}

/**
 * Returns the thresholds at which a rule can have fired or cleared while the price was within a range. A null
 * range means all, because no earlier price is stored.
 */
export function thresholdsOf(asset: string, range: PriceRange | null): ThresholdRange {
  if (range === null) return { asset, low: 0, high: Number.MAX_VALUE };
  return { asset, low: range.low / (1 + PRICE_MARGIN), high: range.high / (1 - PRICE_MARGIN) };
}

/** Returns one range for each asset that contains all of its ranges. */
export function joined(ranges: readonly ThresholdRange[]): ThresholdRange[] {
  const byAsset = new Map<string, ThresholdRange>();
  for (const { asset, low, high } of ranges) {
    const known = byAsset.get(asset);
    const both = known && { asset, low: Math.min(low, known.low), high: Math.max(high, known.high) };
    byAsset.set(asset, both ?? { asset, low, high });
  }
  return [...byAsset.values()];
}

/** Returns positions with a rule whose threshold is within the range. */
export function positionsWithin(range: ThresholdRange, thresholds: readonly PriceThreshold[]): Set<string> {
  const within = thresholds.filter(
    ({ asset, conditionValue }) =>
      asset === range.asset && conditionValue >= range.low && conditionValue <= range.high,
  );
  return new Set(within.map(({ positionId }) => positionId));
}
