import { DEVNET_DYNAMICS } from './market-simulation';
import { seededRandom } from './random';
import { stepPrices } from './step-prices';

const STEP_SECONDS = 1_200;
const anchors = new Map(DEVNET_DYNAMICS.map(({ symbol, anchorUsd }) => [symbol, anchorUsd]));

function walk(seed: number, steps: number, start = anchors): Map<string, number>[] {
  const random = seededRandom(seed);
  const path = [start];
  for (let i = 0; i < steps; i += 1)
    path.push(stepPrices(DEVNET_DYNAMICS, path.at(-1)!, random, STEP_SECONDS));
  return path;
}

function returnsOf(path: readonly Map<string, number>[], symbol: string): number[] {
  return path.slice(1).map((prices, i) => Math.log(prices.get(symbol)! / path[i]!.get(symbol)!));
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length;
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = mean(a.map((x, i) => (x - ma) * (b[i]! - mb)));
  return covariance / Math.sqrt(mean(a.map((x) => (x - ma) ** 2)) * mean(b.map((x) => (x - mb) ** 2)));
}

describe('stepPrices', () => {
  it('returns the same path for the same seed, and a different one for another', () => {
    expect(walk(7, 50)).toEqual(walk(7, 50));
    expect(walk(7, 50)).not.toEqual(walk(8, 50));
  });

  it('moves volatile assets together', () => {
    const path = walk(1, 20_000);
    expect(correlation(returnsOf(path, 'WETH'), returnsOf(path, 'WBTC'))).toBeGreaterThan(0.6);
  });

  it('has the configured volatility, and jumps beyond it', () => {
    const returns = returnsOf(walk(2, 20_000), 'WETH');
    const deviation = Math.sqrt(returns.reduce((sum, x) => sum + x * x, 0) / returns.length);
    const perStep = 0.72 * Math.sqrt(STEP_SECONDS / (365 * 86_400));
    expect(deviation).toBeGreaterThan(perStep);
    expect(deviation).toBeLessThan(1.6 * perStep);
    expect(returns.filter((x) => Math.abs(x) > 5 * perStep).length).toBeGreaterThan(5);
  });

  it('keeps stable coins near their price for a year', () => {
    const deviations = walk(3, 26_280).map((prices) => Math.abs(prices.get('USDC')! - 1));
    expect(Math.max(...deviations)).toBeLessThan(0.01);
  });

  it('returns to the anchor after a shock', () => {
    const shocked = new Map(anchors).set('WETH', anchors.get('WETH')! / 2);
    const end = walk(4, 4_000, shocked).slice(-1_000);
    const mean = end.reduce((sum, prices) => sum + prices.get('WETH')!, 0) / end.length;
    expect(mean / anchors.get('WETH')!).toBeGreaterThan(0.85);
    expect(mean / anchors.get('WETH')!).toBeLessThan(1.15);
  });

  it('omits an asset that has no price', () => {
    expect(stepPrices(DEVNET_DYNAMICS, new Map([['WETH', 3_000]]), seededRandom(1), 60).size).toBe(1);
  });
});
