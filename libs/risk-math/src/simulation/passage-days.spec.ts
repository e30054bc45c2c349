import fc from 'fast-check';
import type { RiskPosition } from '../position/position';
import { filterHistory, type DailyHistory } from './history/filtered-history';
import { simulateHistorical } from './history/historical';
import { PASSAGE_QUANTILES } from './passage-days';

const DAYS = 365;

const close = Array.from({ length: DAYS + 1 }, (_, day) =>
  Math.exp(0.12 * Math.sin(day * day * 0.37) + 0.06 * Math.cos(day * 1.7)),
);
const still = close.map(() => 1);
const past: DailyHistory = {
  assets: ['WETH', 'USDC'],
  close: [close, still],
  low: [close.map((price) => price * 0.98), still],
  high: [close.map((price) => price * 1.02), still],
};
const history = filterHistory(past);

function positionAt(healthFactor: number, scale = 1): RiskPosition {
  return {
    collateral: [
      {
        asset: 'WETH',
        amount: healthFactor * scale,
        priceUsd: 1,
        liquidationThreshold: 1,
        liquidationBonus: 0,
      },
    ],
    debt: [{ asset: 'USDC', amount: scale, priceUsd: 1 }],
  };
}

const health = fc.double({ min: 1.01, max: 3, noNaN: true });
const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const runs = { numRuns: 25 };

describe('firstPassageDays', () => {
  it('never contradicts the probability of the same paths: a quantile is within the days exactly when P is at least it', () => {
    fc.assert(
      fc.property(health, fc.integer({ min: 1, max: 120 }), seeds, (now, withinDays, seed) => {
        const options = { horizonDays: 120, paths: 600, seed, withinDays };
        const { firstPassageDays, liquidationProbability } = simulateHistorical(
          positionAt(now),
          history,
          options,
        );
        for (const [name, share] of Object.entries(PASSAGE_QUANTILES)) {
          const days = firstPassageDays[name as keyof typeof PASSAGE_QUANTILES];
          expect(days !== null && days <= withinDays).toBe(liquidationProbability >= share);
        }
      }),
      runs,
    );
  });

  it('P within 30 days is that of a simulation of 30 days: a longer horizon changes nothing', () => {
    fc.assert(
      fc.property(health, seeds, (now, seed) => {
        const long = { horizonDays: 365, paths: 400, seed, withinDays: 30 };
        const short = { horizonDays: 30, paths: 400, seed };
        const ahead = simulateHistorical(positionAt(now), history, long);
        const near = simulateHistorical(positionAt(now), history, short);
        expect(ahead.liquidationProbability).toBe(near.liquidationProbability);
        expect(ahead.standardError).toBe(near.standardError);
      }),
      { numRuns: 8 },
    );
  });

  it('does not depend on the scale of the position', () => {
    const options = { horizonDays: 90, paths: 1_000, seed: 5 };
    const small = simulateHistorical(positionAt(1.2), history, options);
    expect(simulateHistorical(positionAt(1.2, 1_024), history, options)).toEqual(small);
  });

  it('0 when HF < 1, null without debt and past the horizon', () => {
    const options = { horizonDays: 5, paths: 200, seed: 1 };
    const of = (position: RiskPosition) => simulateHistorical(position, history, options).firstPassageDays;
    expect(of(positionAt(0.9)).p50).toBe(0);
    expect(of({ ...positionAt(2), debt: [] }).p5).toBeNull();
    expect(of(positionAt(9)).p5).toBeNull();
  });

  it('rejects days past the horizon', () => {
    const options = { horizonDays: 5, paths: 200, seed: 1, withinDays: 6 };
    expect(() => simulateHistorical(positionAt(1.2), history, options)).toThrow(RangeError);
  });
});
