import fc from 'fast-check';
import { riskLabel, riskScore, type RiskScoreInput } from './risk-score';
import { LEVEL_FLOORS, scoreOfLevel, type ScoredLevel } from './score-of-level';

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
