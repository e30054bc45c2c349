import type { RiskPosition } from '../position/position';
import { MEAN_BLOCK_DAYS } from './history/block-bootstrap';
import type { FilteredHistory } from './history/filtered-history';
import { simulateGbm } from './gbm';
import { simulateHistorical } from './history/historical';
import { replicatesOf, upperBoundOfNone } from './replicates';
import type { SimulationResult } from './simulation';

const SEEDS = 200;
const DAYS = 365;
const DEVIATION = 0.05;

/** Days of one volatile asset whose expected volatility never changes, lows at the closes. */
const residuals = Float64Array.from({ length: DAYS }, (_, day) => Math.SQRT2 * Math.sin(day * day * 0.37));
const variance = DEVIATION ** 2;
const history: FilteredHistory = {
  assets: ['WETH', 'USDC'],
  days: DAYS,
  residuals: [
    {
      close: residuals,
      low: residuals,
      high: residuals,
      parameters: { alpha: 0, beta: 0, target: variance },
      nextVariance: variance,
      drift: 0,
    },
    {
      close: new Float64Array(DAYS),
      low: new Float64Array(DAYS),
      high: new Float64Array(DAYS),
      parameters: { alpha: 0, beta: 0, target: 0 },
      nextVariance: 0,
      drift: 0,
    },
  ],
};

function positionAt(healthFactor: number, share = 1): RiskPosition {
  const leg = { priceUsd: 1, liquidationThreshold: 1, liquidationBonus: 0 };
  return {
    collateral: [
      { ...leg, asset: 'WETH', amount: share * healthFactor },
      ...(share < 1 ? [{ ...leg, asset: 'WBTC', amount: (1 - share) * healthFactor }] : []),
    ],
    debt: [{ asset: 'USDC', amount: 1, priceUsd: 1 }],
  };
}

/** P(HF < 1 within two days), by every pair of days that the bootstrap can draw. */
function exactOverTwoDays(healthFactor: number): number {
  const barrier = -Math.log(healthFactor) / DEVIATION;
  const below = (level: number): number => residuals.filter((value) => value < level).length / DAYS;
  const chances = Array.from(residuals, (first, day) => {
    if (first < barrier) return 1;
    const following = residuals[(day + 1) % DAYS]! + first < barrier ? 1 : 0;
    return below(barrier - first) / MEAN_BLOCK_DAYS + following * (1 - 1 / MEAN_BLOCK_DAYS);
  });
  return chances.reduce((sum, chance) => sum + chance / DAYS, 0);
}

/**
 * The frequency with which the true value is within 1.96 stated errors, and the true error over the stated
 * one.
 */
function coverage(simulate: (seed: number) => SimulationResult, truth: number) {
  const runs = Array.from({ length: SEEDS }, (_, seed) => simulate(seed));
  const covered = runs.filter(
    (run) => Math.abs(run.liquidationProbability - truth) <= 1.96 * run.standardError + 1e-12,
  );
  const mean = (of: (run: SimulationResult) => number): number =>
    runs.reduce((sum, run) => sum + of(run) / SEEDS, 0);
  const actual = Math.sqrt(mean((run) => (run.liquidationProbability - truth) ** 2));
  return { share: covered.length / SEEDS, ratio: mean((run) => run.standardError) / actual };
}

describe('the stated standard error', () => {
  it.each([1.03, 1.08, 1.12])('covers the exact probability of fhs at HF %s', (healthFactor) => {
    const { share, ratio } = coverage(
      (seed) => simulateHistorical(positionAt(healthFactor), history, { horizonDays: 2, paths: 1_000, seed }),
      exactOverTwoDays(healthFactor),
    );
    expect(share).toBeGreaterThan(0.9);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.6);
  });

  it('covers that of fhs over 30 days, compared with the mean over many seeds', () => {
    const run = (seed: number) =>
      simulateHistorical(positionAt(1.2), history, { horizonDays: 30, paths: 1_000, seed });
    const truth = simulateHistorical(positionAt(1.2), history, {
      horizonDays: 30,
      paths: 65_536,
      seed: 999,
    }).liquidationProbability;
    const { share, ratio } = coverage(run, truth);
    expect(share).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.6);
  });

  it('covers that of gbm with two collaterals, against a fine simulation', () => {
    const market = {
      assets: ['WETH', 'WBTC', 'USDC'],
      dailyCovariance: [
        [2.5e-3, 1e-3, 0],
        [1e-3, 1.5e-3, 0],
        [0, 0, 0],
      ],
    };
    const simulate = (paths: number, seed: number) =>
      simulateGbm(positionAt(1.2, 0.5), market, { horizonDays: 30, paths, seed });
    const truth = simulate(65_536, 999).liquidationProbability;
    const { share, ratio } = coverage((seed) => simulate(1_000, seed), truth);
    expect(share).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.8);
  });
});

describe('replicatesOf', () => {
  it.each([1, 5, 100, 1_000, 4_999])('shares out %s paths to the last one', (paths) => {
    const replicates = replicatesOf(paths, 1);
    expect(replicates.reduce((sum, each) => sum + each.paths, 0)).toBe(paths);
    expect(new Set(replicates.map(({ seed }) => seed)).size).toBe(replicates.length);
    expect(replicates.every((each) => each.paths > 0)).toBe(true);
  });
});

describe('upperBoundOfNone', () => {
  it('is the largest probability that still gives no hit in one case of twenty', () => {
    const bound = upperBoundOfNone(0, 1_000)!;
    expect((1 - bound) ** 1_000).toBeCloseTo(0.05, 12);
    expect(bound).toBeCloseTo(3 / 1_000, 4);
    expect(upperBoundOfNone(1, 1_000)).toBeNull();
    const safe = simulateHistorical(positionAt(5), history, { horizonDays: 7, paths: 1_000, seed: 1 });
    expect(safe).toMatchObject({ liquidationProbability: 0, upperBound95: bound });
  });
});
