/** Quantile `q` (0 to 1) of the values by linear interpolation between the two nearest (Hyndman–Fan type 7). */
export function percentile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}

/** Median, 99th percentile and maximum, rounded to 0.1. */
export function summary(values: readonly number[]): { p50: number; p99: number; max: number } {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return {
    p50: round(percentile(values, 0.5)),
    p99: round(percentile(values, 0.99)),
    max: round(Math.max(...values)),
  };
}
