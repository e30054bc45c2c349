import { type DayBar, dayOf } from './day-bar';

/** A price at a time. */
export interface PricePoint {
  atMs: number;
  priceUsd: number;
}

/** With fewer points, a day's high and low are unknown, so the day stays a gap. */
const MIN_POINTS = 4;

/** Returns daily bars, oldest first. A day with fewer than four points has none. */
export function barsOfPoints(points: readonly PricePoint[]): DayBar[] {
  const days = new Map<string, PricePoint[]>();
  for (const point of points) {
    if (!(point.priceUsd > 0) || !Number.isFinite(point.priceUsd)) continue;
    const day = dayOf(point.atMs);
    days.set(day, [...(days.get(day) ?? []), point]);
  }
  return [...days]
    .filter(([, ofDay]) => ofDay.length >= MIN_POINTS)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, ofDay]) => {
      const prices = ofDay.sort((a, b) => a.atMs - b.atMs).map(({ priceUsd }) => priceUsd);
      return {
        day,
        open: prices[0]!,
        high: Math.max(...prices),
        low: Math.min(...prices),
        close: prices.at(-1)!,
      };
    });
}
