import { addDays } from './day-bar';
import { localDynamics, syntheticHistory } from './synthetic-history';

const LAST_DAY = '2026-11-20';
const asset = (symbol: string, priceUsd: number, isStable = false) => ({
  symbol,
  priceUsd,
  dynamics: localDynamics(symbol, isStable),
});
const ASSETS = [
  asset('WSTETH', 3_700),
  asset('ETH', 3_150),
  asset('BTC', 96_000),
  asset('USDC', 0.9991, true),
];
const history = syntheticHistory(ASSETS, 2_000, LAST_DAY, 7);
const returnsOf = (symbol: string, from = history): number[] =>
  from
    .get(symbol)!
    .slice(1)
    .map(({ close }, day) => Math.log(close / from.get(symbol)![day]!.close));

function correlation(a: readonly number[], b: readonly number[]): number {
  const product = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}
const moment = (values: readonly number[], power: number) =>
  values.reduce((sum, value) => sum + value ** power, 0) / values.length;

describe('syntheticHistory', () => {
  it('is the same for the same seed, and differs for another', () => {
    expect(syntheticHistory(ASSETS, 2_000, LAST_DAY, 7)).toEqual(history);
    expect(syntheticHistory(ASSETS, 2_000, LAST_DAY, 8)).not.toEqual(history);
  });

  it('ends at the current price on the last day, without a gap', () => {
    for (const { symbol, priceUsd } of ASSETS) {
      const bars = history.get(symbol)!;
      expect(bars).toHaveLength(2_000);
      expect(bars.at(-1)).toMatchObject({ day: LAST_DAY, close: priceUsd });
      expect(bars[0]?.day).toBe(addDays(LAST_DAY, -1_999));
    }
  });

  it('each bar contains its open and close, and opens at the close of the one before', () => {
    for (const bars of history.values()) {
      for (const [day, { open, high, low, close }] of bars.entries()) {
        expect(low).toBeLessThanOrEqual(Math.min(open, close) * (1 + 1e-9));
        expect(high).toBeGreaterThanOrEqual(Math.max(open, close) * (1 - 1e-9));
        if (day > 0) expect(open).toBeCloseTo(bars[day - 1]!.close, 4);
      }
    }
  });

  it('has fat tails, and volatile days are clustered', () => {
    const returns = returnsOf('ETH');
    expect(moment(returns, 4) / moment(returns, 2) ** 2).toBeGreaterThan(4);
    const sizes = returns.map(Math.abs);
    const mean = moment(sizes, 1);
    const centred = sizes.map((size) => size - mean);
    expect(correlation(centred.slice(1), centred.slice(0, -1))).toBeGreaterThan(0.05);
  });

  it('moves assets together, and a staked form with its coin', () => {
    expect(correlation(returnsOf('ETH'), returnsOf('BTC'))).toBeGreaterThan(0.7);
    expect(correlation(returnsOf('ETH'), returnsOf('BTC'))).toBeLessThan(0.95);
    expect(correlation(returnsOf('ETH'), returnsOf('WSTETH'))).toBeGreaterThan(0.98);
  });

  it('has about the requested volatility', () => {
    const annual = Math.sqrt(moment(returnsOf('ETH'), 2) * 365);
    expect(annual).toBeGreaterThan(0.5);
    expect(annual).toBeLessThan(0.95);
  });

  it('keeps a stable coin near its peg', () => {
    const furthest = Math.max(...history.get('USDC')!.map(({ close }) => Math.abs(close - 1)));
    expect(furthest).toBeLessThan(0.01);
  });
});
