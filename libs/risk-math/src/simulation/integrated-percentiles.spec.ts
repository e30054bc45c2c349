import fc from 'fast-check';
import { ScrambledSobol } from '../random/scrambled-sobol';
import { percentiles } from '../statistics/quantile';
import { alignFirstColumn, applyTransposed, cholesky } from '../statistics/matrix';
import type { KernelModel } from './health-kernels';
import { integratedPercentiles, risesWithFirstFactor } from './integrated-percentiles';

const POINTS = 16_384;

/** Percentiles of HF over evenly spread points of all factors. */
function sampled(model: KernelModel): ReturnType<typeof percentiles> {
  const size = model.drift.length;
  const sobol = new ScrambledSobol(size, POINTS, POINTS, 9);
  sobol.nextBlock(POINTS);
  const factors = model.drift.map((_, dimension) => {
    const normals = new Float64Array(POINTS);
    sobol.fillNormals(dimension, normals);
    return normals;
  });
  return percentiles(
    Array.from({ length: POINTS }, (_, point) => {
      let [weighted, debt] = [model.constantWeightedUsd, model.constantDebtUsd];
      model.factor.forEach((row, i) => {
        const relative = Math.exp(
          row.reduce((sum, share, k) => sum + share * factors[k]![point]!, model.drift[i]!),
        );
        weighted += model.weightedUsd[i]! * relative;
        debt += model.debtUsd[i]! * relative;
      });
      return weighted / debt;
    }),
  );
}

/**
 * Assets with deviations over the horizon and one correlation between all of them, rotated along today's ln
 * HF.
 */
function modelOf(
  deviations: readonly number[],
  correlation: number,
  usd: { weighted: number[]; debt: number[]; constantWeighted: number; constantDebt: number },
): KernelModel {
  const covariance = deviations.map((a, i) => deviations.map((b, j) => a * b * (i === j ? 1 : correlation)));
  const total = (values: readonly number[], constant: number): number =>
    values.reduce((sum, value) => sum + value, constant);
  const [weighted, debt] = [
    total(usd.weighted, usd.constantWeighted),
    total(usd.debt, usd.constantDebt),
  ] as const;
  const gradient = deviations.map((_, i) => usd.weighted[i]! / weighted - usd.debt[i]! / debt);
  const factor = cholesky(covariance);
  return {
    weightedUsd: usd.weighted,
    debtUsd: usd.debt,
    constantWeightedUsd: usd.constantWeighted,
    constantDebtUsd: usd.constantDebt,
    drift: deviations.map((deviation) => -0.5 * deviation * deviation),
    factor: alignFirstColumn(factor, applyTransposed(factor, gradient)),
  };
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('integratedPercentiles', () => {
  it('equals the percentiles of many points, for one to four assets, with constants on both sides', () => {
    let tried = 0;
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.02, max: 0.6, noNaN: true }), { minLength: 1, maxLength: 4 }),
        fc.array(share, { minLength: 4, maxLength: 4 }),
        share,
        share,
        share,
        (deviations, shares, still, owed, correlation) => {
          const model = modelOf(deviations, 0.95 * correlation, {
            weighted: deviations.map((_, i) => 0.05 + shares[i]!),
            debt: deviations.map((_, i) => (i === 1 ? owed : 0)),
            constantWeighted: still,
            constantDebt: 0.5,
          });
          if (!risesWithFirstFactor(model)) return;
          tried += 1;
          const [exact, many] = [integratedPercentiles(model, () => 0, 3), sampled(model)];
          for (const name of ['p5', 'p50', 'p95'] as const)
            expect(Math.abs(exact[name] / many[name] - 1)).toBeLessThan(0.01);
        },
      ),
      { numRuns: 60, seed: 11 },
    );
    expect(tried).toBeGreaterThan(10);
  });

  it('are never below the floor that stable collateral sets', () => {
    const usd = { weighted: [0.001, 0.001], debt: [0, 0], constantWeighted: 1.2, constantDebt: 1 };
    const { p5, p50, p95 } = integratedPercentiles(modelOf([0.5, 0.4], 0.5, usd), () => -3, 1);
    expect([p5 > 1.2, p50 > p5, p95 > p50, p95 < 1.21]).toEqual([true, true, true, true]);
  });

  it('does not support a debt that moves with the first factor more than a collateral', () => {
    const usd = { weighted: [1, 0], debt: [0, 0.5], constantWeighted: 0.5, constantDebt: 0 };
    expect(risesWithFirstFactor(modelOf([0.6, 0.2], 0.9, usd))).toBe(false);
    expect(risesWithFirstFactor(modelOf([0.6, 0.2], 0.9, { ...usd, constantWeighted: 0 }))).toBe(true);
  });
});
