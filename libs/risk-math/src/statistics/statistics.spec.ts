import fc from 'fast-check';
import { ewmaCovariance, horizonCovariance, longRunCovariance } from './ewma';
import { garchFilter } from './garch';
import { alignFirstColumn, cholesky } from './matrix';
import { logNormalCdf, normalCdf, normalInverse } from './normal';
import { portfolioRisk } from './portfolio-risk';
import { percentiles, quantileSorted, sorted } from './quantile';
import { sharpeRatio, simpleReturns } from './returns';
import { expectedShortfall, historicalVar } from './value-at-risk';

const share = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });
const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 2, maxLength: 80 });

describe('the normal distribution', () => {
  it('the inverse undoes the distribution function', () => {
    fc.assert(fc.property(share, (p) => expect(normalCdf(normalInverse(p))).toBeCloseTo(p, 12)));
  });

  it('is correct at its ends', () => {
    expect([normalInverse(0), normalInverse(1), normalInverse(2)]).toEqual([-Infinity, Infinity, NaN]);
    expect(normalInverse(0.5)).toBe(0);
    expect([normalCdf(-40), normalCdf(40)]).toEqual([0, 1]);
  });

  it('the logarithm is finite where the function is 0', () => {
    expect(logNormalCdf(-31)).toBeCloseTo(Math.log(normalCdf(-31)), 6);
    expect(logNormalCdf(-100)).toBeCloseTo(-5_005.524, 2);
  });
});

describe('quantiles', () => {
  it('are within the values and grow with q', () => {
    fc.assert(
      fc.property(returns, share, share, (values, a, b) => {
        const ordered = sorted(values);
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((q) => quantileSorted(ordered, q));
        expect(low!).toBeLessThanOrEqual(high! + 1e-15);
        expect(low!).toBeGreaterThanOrEqual(ordered[0]!);
      }),
    );
  });

  it('percentiles are the quantiles of the sorted values, for few and many, equal and infinite ones', () => {
    const value = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, Infinity, -Infinity));
    const type = fc.constantFrom('linear', 'weibull', 'inverted_cdf');
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 300 }), type, (values, kind) => {
        const ordered = sorted(values);
        const at = (q: number): number => quantileSorted(ordered, q, kind);
        expect(percentiles(values, kind)).toEqual({ p5: at(0.05), p50: at(0.5), p95: at(0.95) });
      }),
      { numRuns: 500 },
    );
  });

  it('reject empty and invalid values', () => {
    expect(() => percentiles([])).toThrow(RangeError);
    expect(() => percentiles([1, Number.NaN])).toThrow(RangeError);
  });
});

describe('value at risk', () => {
  it('the expected shortfall is at least the value at risk', () => {
    fc.assert(
      fc.property(returns, (values) => {
        expect(expectedShortfall(values)).toBeGreaterThanOrEqual(
          historicalVar(values, 0.95, 'inverted_cdf') - 1e-12,
        );
      }),
    );
  });

  it('a loss is capped at the equity', () => {
    const risk = portfolioRisk([
      { netUsd: 300, dailyReturns: [-0.9, 0.1, 0.1] },
      { netUsd: -200, dailyReturns: [0, 0, 0] },
    ]);
    expect(risk!.cvar95).toBe(1);
    expect(risk!.cvar95Usd).toBe(100);
  });

  it('null without equity, rejected when days differ', () => {
    expect(portfolioRisk([{ netUsd: -1, dailyReturns: [0, 0] }])).toBeNull();
    expect(portfolioRisk([])).toBeNull();
    expect(() =>
      portfolioRisk([
        { netUsd: 1, dailyReturns: [0] },
        { netUsd: 1, dailyReturns: [0, 0] },
      ]),
    ).toThrow(RangeError);
  });

  it('no Sharpe ratio without volatility', () => {
    expect(sharpeRatio([0.01, 0.01, 0.01])).toBeNull();
    expect(sharpeRatio([0.01])).toBeNull();
    expect([...simpleReturns([100, 110, 99])].map((value) => value.toFixed(2))).toEqual(['0.10', '-0.10']);
  });
});

describe('cholesky', () => {
  it('factors covariances, including singular ones, in any order of assets', () => {
    fc.assert(
      fc.property(returns, (values) => {
        const rows = [
          values,
          values.map((value, i) => value * Math.sin(i)),
          values.map((value) => 2 * value),
        ];
        const covariance = longRunCovariance(rows);
        fc.pre(covariance.every((row, i) => row[i]! > 1e-6));
        const factor = cholesky(covariance);
        const turned = alignFirstColumn(factor, [1, -2, 0.5]);
        for (const matrix of [factor, turned]) {
          covariance.forEach((row, i) =>
            row.forEach((value, j) => {
              const product = matrix[i]!.reduce((sum, entry, k) => sum + entry * matrix[j]![k]!, 0);
              expect(Math.abs(product - value)).toBeLessThan(1e-9);
            }),
          );
        }
      }),
    );
  });

  it('rejects matrices that are not a covariance', () => {
    expect(() => cholesky([[1, 2]])).toThrow(RangeError);
    expect(() =>
      cholesky([
        [1, 2],
        [2, 1],
      ]),
    ).toThrow(RangeError);
  });
});

describe('volatility', () => {
  it('constant moves keep their variance under every filter', () => {
    const moves = Array.from({ length: 100 }, (_, day) => (day % 2 === 0 ? 0.03 : -0.03));
    expect(ewmaCovariance([moves])[0]![0]).toBeCloseTo(9e-4, 12);
    expect(garchFilter(moves).next).toBeCloseTo(9e-4, 12);
  });

  it('returns to the mean with the horizon', () => {
    const at = (days: number): number => horizonCovariance([[4]], [[1]], days, 0.98)[0]![0]!;
    expect(at(1)).toBeCloseTo(4, 12);
    expect(at(30)).toBeGreaterThan(at(365));
    expect(at(3_650)).toBeLessThan(1.1);
    expect(horizonCovariance([[4]], [[1]], 30, 1)).toEqual([[4]]);
  });

  it('rejects histories that are empty, differ in length or never move', () => {
    expect(() => ewmaCovariance([[]])).toThrow(RangeError);
    expect(() => ewmaCovariance([[1], [1, 2]])).toThrow(RangeError);
    expect(() => garchFilter([0, 0])).toThrow(RangeError);
  });
});
