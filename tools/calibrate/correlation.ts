import type { PriceHistory } from './price-history';

/** Daily changes of the log price by day. */
function changesOf({ firstDay, close }: PriceHistory): Map<number, number> {
  return new Map(close.slice(1).map((price, i) => [firstDay + i + 1, Math.log(price / close[i]!)]));
}

function correlationOf(a: Map<number, number>, b: Map<number, number>): number | null {
  const pairs = [...a].flatMap(([day, change]) => {
    const other = b.get(day);
    return other === undefined ? [] : [[change, other] as const];
  });
  const mean = (of: (pair: readonly [number, number]) => number): number =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [x, y] = [mean((pair) => pair[0]), mean((pair) => pair[1])];
  const covariance = mean((pair) => (pair[0] - x) * (pair[1] - y));
  const spread = Math.sqrt(mean((pair) => (pair[0] - x) ** 2) * mean((pair) => (pair[1] - y) ** 2));
  return spread > 0 ? covariance / spread : null;
}

/**
 * Mean correlation of the daily changes over all pairs of assets on common days, 0 to 1. 0 for a single
 * asset.
 */
export function averageCorrelation(histories: readonly PriceHistory[]): number {
  const changes = histories.map(changesOf);
  const known = changes
    .flatMap((a, i) => changes.slice(i + 1).map((b) => correlationOf(a, b)))
    .filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  return Math.min(1, Math.max(0, mean));
}
