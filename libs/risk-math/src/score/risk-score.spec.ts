import fc from 'fast-check';
import {
  riskFactors,
  riskLabel,
  riskScore,
  type RiskScoreInput,
  LEVEL_FLOORS,
  scoreOfLevel,
  type ScoredLevel,
} from './risk-score';

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

const LEVELS = Object.keys(LEVEL_FLOORS) as ScoredLevel[];
const WORDS: Readonly<Record<ScoredLevel, string>> = {
  none: 'low',
  low: 'low',
  moderate: 'moderate',
  high: 'high',
  critical: 'critical',
  liquidatable: 'critical',
};
const bases = fc.double({ min: 0, max: 100, noNaN: true });
const levels = fc.constantFrom(...LEVELS);

describe('scoreOfLevel', () => {
  it('has the word of the level as its label, whatever the base score', () => {
    fc.assert(
      fc.property(bases, levels, (base, level) => {
        expect(riskLabel(scoreOfLevel(base, level))).toBe(WORDS[level]);
      }),
      { numRuns: 2_000 },
    );
    for (const level of LEVELS) {
      for (const base of [0, 24.9, 25, 50, 75, 99.99, 100]) {
        expect(riskLabel(scoreOfLevel(base, level))).toBe(WORDS[level]);
      }
    }
  });

  it('fits the level for any factors and probability', () => {
    const inputs: fc.Arbitrary<RiskScoreInput> = fc.record({
      healthFactor: fc.option(fc.double({ min: 0, max: 200, noNaN: true }), { freq: 10 }),
      logHealthVolatility: fc.double({ min: 0, max: 5, noNaN: true }),
      debtUsd: fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 4 }),
      riskTier: fc.constantFrom('low', 'medium', 'high'),
      liquidationProbability30d: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(inputs, levels, (input, level) => {
        const score = scoreOfLevel(riskScore(input).riskScore, level);
        expect(riskLabel(score)).toBe(WORDS[level]);
        expect(score).toBeGreaterThanOrEqual(LEVEL_FLOORS[level]);
        expect(score).toBeLessThanOrEqual(100);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ranks positions of one level as their base scores do, and a worse level above a milder one', () => {
    fc.assert(
      fc.property(bases, bases, levels, levels, (a, b, one, other) => {
        const [lower, higher] = [Math.min(a, b), Math.max(a, b)];
        expect(scoreOfLevel(higher, one)).toBeGreaterThanOrEqual(scoreOfLevel(lower, one));
        const [milder, worse] = [one, other].toSorted((x, y) => LEVELS.indexOf(x) - LEVELS.indexOf(y));
        if (LEVEL_FLOORS[milder!] < LEVEL_FLOORS[worse!]) {
          expect(scoreOfLevel(a, worse!)).toBeGreaterThan(scoreOfLevel(b, milder!));
        }
      }),
    );
  });

  it('100 is only for liquidatable positions; without debt the base score applies', () => {
    fc.assert(
      fc.property(bases, levels, (base, level) => {
        expect(scoreOfLevel(base, level) === 100).toBe(level === 'liquidatable');
      }),
    );
    expect(scoreOfLevel(13.5, 'none')).toBe(13.5);
  });
});
