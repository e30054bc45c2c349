import type { MarketTotals } from '../src/reader/market-totals';
import type { RawPosition } from '../src/reader/raw-position';

/** Dollars of all legs of one side, at the prices that they carry. */
export function legsUsd(positions: readonly RawPosition[], side: 'collateral' | 'debt'): number {
  return positions
    .flatMap(({ legs, usdPerBaseRaw }) => legs.map((leg) => ({ ...leg, usdPerBaseRaw })))
    .filter((leg) => leg.side === side)
    .reduce((sum, { amountRaw, decimals, priceRaw, priceDecimals, usdPerBaseRaw }) => {
      const value = Number(amountRaw * priceRaw * (usdPerBaseRaw ?? 0n));
      return sum + value / 10 ** (decimals + priceDecimals + 18);
    }, 0);
}

/**
 * Expects the totals of a market whose positions are all known: they equal the sums over the positions,
 * within the error of summing numbers.
 */
export function expectTotalsOf(totals: MarketTotals | null, positions: readonly RawPosition[]): void {
  expect(totals!.suppliedUsd / legsUsd(positions, 'collateral')).toBeCloseTo(1, 9);
  expect(totals!.borrowedUsd / legsUsd(positions, 'debt')).toBeCloseTo(1, 9);
}

/** Dollars of token amounts at these prices of one whole token, independent of the protocol's own prices. */
export function amountsUsd(
  positions: readonly RawPosition[],
  side: 'collateral' | 'debt',
  usd: Readonly<Record<string, number>>,
): number {
  return positions
    .flatMap(({ legs }) => legs)
    .filter((leg) => leg.side === side)
    .reduce(
      (sum, { amountRaw, decimals, symbol }) =>
        sum + (Number(amountRaw) / 10 ** decimals) * (usd[symbol] ?? 0),
      0,
    );
}
