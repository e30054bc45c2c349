import fc from 'fast-check';
import { riskFactors, riskLabel, riskScore, type RiskScoreInput } from './risk-score';

const input: RiskScoreInput = {
  healthFactor: 1.5,
  logHealthVolatility: 0.6,
  debtUsd: [3_000, 1_000],
  riskTier: 'low',
  liquidationProbability30d: 0.04,
};

describe('riskScore', () => {
  it('is the weighted sum of its factors, or the root of the probability if that is larger', () => {
    const factors = riskFactors(input);
    expect(factors).toMatchObject({ collateralVolatility: 50, debtConcentration: 62.5, protocolRisk: 10 });
    expect(factors.healthFactor).toBeCloseTo(100 * (1 - Math.log(1.5) / Math.log(3)), 10);
    const base = 0.5 * factors.healthFactor + 0.25 * 50 + 0.05 * 62.5 + 0.2 * 10;
    expect(riskScore(input).riskScore).toBeCloseTo(base, 10);
    expect(riskScore({ ...input, liquidationProbability30d: 0.81 }).riskScore).toBeCloseTo(90, 10);
  });

  it('100 when liquidatable, at most 20 without debt', () => {
    expect(riskScore({ ...input, healthFactor: 0.99 })).toMatchObject({ riskScore: 100, label: 'critical' });
    const free = riskScore({
      ...input,
      healthFactor: null,
      debtUsd: [],
      riskTier: 'high',
      liquidationProbability30d: 0,
    });
    expect(free).toMatchObject({ riskScore: 20, label: 'low' });
  });

  it('stays within 0 and 100, and falls with the health factor', () => {
    const health = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(health, health, fc.double({ min: 0, max: 3, noNaN: true }), (a, b, logHealthVolatility) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map(
          (healthFactor) => riskScore({ ...input, healthFactor, logHealthVolatility }).riskScore,
        );
        expect(low!).toBeGreaterThanOrEqual(high!);
        expect(high!).toBeGreaterThanOrEqual(0);
        expect(low!).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe('riskLabel', () => {
  it('changes at 25, 50 and 75', () => {
    expect([24.9, 25, 49.9, 50, 74.9, 75].map(riskLabel)).toEqual([
      'low',
      'moderate',
      'moderate',
      'high',
      'high',
      'critical',
    ]);
  });
});
