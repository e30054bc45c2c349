import fc from 'fast-check';
import { carryDays } from '../position/carry';
import {
  daysToLiquidation,
  firstPassageProbability,
  ratioProcess,
  terminalHealthFactor,
} from './first-passage';

const health = fc.double({ min: 1, max: 5, noNaN: true });
const sigma = fc.double({ min: 0.02, max: 2, noNaN: true });
const days = fc.integer({ min: 1, max: 365 });
const more = fc.double({ min: 1, max: 3, noNaN: true });
const single = (volatility: number, mu = 0) => ratioProcess({ sigma: volatility, mu }, { sigma: 0 }, 0);

describe('firstPassageProbability', () => {
  it('falls with the health factor, grows with days and volatility', () => {
    fc.assert(
      fc.property(health, sigma, days, more, (now, volatility, horizon, factor) => {
        const base = firstPassageProbability(now, single(volatility), horizon);
        expect(firstPassageProbability(now * factor, single(volatility), horizon)).toBeLessThanOrEqual(
          base + 1e-14,
        );
        expect(firstPassageProbability(now, single(volatility), horizon * factor)).toBeGreaterThanOrEqual(
          base - 1e-14,
        );
        expect(firstPassageProbability(now, single(volatility * factor), horizon)).toBeGreaterThanOrEqual(
          base - 1e-14,
        );
      }),
    );
  });

  it('is at least the probability to end below 1', () => {
    fc.assert(
      fc.property(health, sigma, days, (now, volatility, horizon) => {
        const process = single(volatility);
        const probability = firstPassageProbability(now, process, horizon);
        const below = [0.05, 0.5, 0.95].filter((q) => terminalHealthFactor(now, process, horizon, q) < 1);
        for (const quantile of below) expect(probability).toBeGreaterThanOrEqual(quantile - 1e-12);
      }),
    );
  });

  it('is 1 when HF < 1, 0 without debt, and constant without any movement', () => {
    expect(firstPassageProbability(0.999, single(0.5), 7)).toBe(1);
    expect(firstPassageProbability(null, single(0.5), 7)).toBe(0);
    expect(firstPassageProbability(1.0001, single(0), 365)).toBe(0);
    expect(firstPassageProbability(1, single(0), 365)).toBe(0);
    expect(firstPassageProbability(1.01, single(0, -0.5), 365)).toBe(1);
  });

  it('is between 0 and 1 when its factors overflow', () => {
    expect(firstPassageProbability(3, single(0.01, -0.3), 365)).toBeCloseTo(0, 12);
    expect(firstPassageProbability(1.2, single(0.005, -0.5), 365)).toBeCloseTo(1, 12);
    expect(firstPassageProbability(1.2, single(0.005, 0.5), 365)).toBeCloseTo(0, 12);
  });

  it('an asset against itself does not move', () => {
    expect(ratioProcess({ sigma: 0.7 }, { sigma: 0.7 }, 1)).toEqual({ drift: 0, variance: 0 });
  });
});

describe('daysToLiquidation', () => {
  it('is the time at which the probability reaches the quantile', () => {
    fc.assert(
      fc.property(
        health,
        sigma,
        fc.double({ min: 0.05, max: 0.9, noNaN: true }),
        (now, volatility, quantile) => {
          const at = daysToLiquidation(now, single(volatility), quantile);
          if (at === null || at < 1e-6) return;
          expect(firstPassageProbability(now, single(volatility), at)).toBeCloseTo(quantile, 9);
        },
      ),
    );
  });

  it('is 0 when HF < 1, and null without debt and past ten years', () => {
    expect(daysToLiquidation(0.9, single(0.5))).toBe(0);
    expect(daysToLiquidation(null, single(0.5))).toBeNull();
    expect(daysToLiquidation(5, single(0.02))).toBeNull();
  });
});

describe('carryDays', () => {
  it('is the time at which interest alone brings HF to 1', () => {
    expect(carryDays(1.1, 0.08, 0.02)).toBeCloseTo((Math.log(1.1) / 0.06) * 365, 10);
  });

  it('is null if it never does', () => {
    expect([carryDays(null, 0.1, 0), carryDays(1, 0.1, 0), carryDays(2, 0.01, 0.02)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
