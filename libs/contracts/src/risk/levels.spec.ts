import fc from 'fast-check';
import { BANDS, type Band, bandOfFigures, bandRank } from './bands';
import {
  RISK_THRESHOLDS,
  decidingProbability,
  levelOfEvent,
  riskLevelOf,
  riskLevelOfEvent,
  isDust,
} from './levels';

const wad = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 10n ** 9n;
const anyRaw = fc.bigInt({ min: 0n, max: 3n * 10n ** 18n });
const anyProbability = fc.double({ min: 0, max: 1, noNaN: true });

describe('riskLevelOf', () => {
  it.each<[number | null, number | null, Band, string]>([
    [null, null, 'none', 'No debt.'],
    [null, 0.5, 'none', 'No debt.'],
    [0.98, null, 'liquidatable', 'Health factor 0.98 is below 1.00.'],
    [0.999999, null, 'liquidatable', 'Health factor 0.9999 is below 1.00.'],
    [1, null, 'critical', 'Health factor 1.00 is between 1.00 and 1.10.'],
    [1.0179, null, 'critical', 'Health factor 1.0179 is between 1.00 and 1.10.'],
    [1.18, null, 'high', 'Health factor 1.18 is between 1.10 and 1.25.'],
    [1.15, null, 'high', 'Health factor 1.15 is between 1.10 and 1.25.'],
    [1.25, null, 'moderate', 'Health factor 1.25 is between 1.25 and 1.50.'],
    [121.9, null, 'low', 'Health factor 121.90 is 1.50 or more.'],
    [1e22, null, 'low', 'Health factor 10000000000000000000000.00 is 1.50 or more.'],
    [1e-9, null, 'liquidatable', 'Health factor 0.00 is below 1.00.'],
    [0.9, 1, 'liquidatable', 'Health factor 0.90 is below 1.00.'],
  ])('health factor %p and probability %p give %s: %s', (healthFactor, probability, level, reason) => {
    const of = riskLevelOf(healthFactor, probability);
    expect(of).toMatchObject({ riskLevel: level, riskLevelReason: reason });
    expect(of.riskLevelBasis).toBe(healthFactor === null ? 'no_debt' : 'health_factor');
  });

  it.each<[number, Band, string]>([
    [0.00001, 'low', 'is less than 0.1 %, below 2 %.'],
    [0.004, 'low', 'is 0.4 %, below 2 %.'],
    [0.01999, 'low', 'is 1.9 %, below 2 %.'],
    [0.02, 'moderate', 'is 2.0 %, between 2 % and 10 %.'],
    [0.123, 'high', 'is 12.3 %, between 10 % and 35 %.'],
    [0.35, 'critical', 'is 35.0 %, 35 % or more.'],
    [1, 'critical', 'is 100.0 %, 35 % or more.'],
  ])('a correlated pair at probability %p gives %s', (probability, level, reason) => {
    expect(riskLevelOf(1.01, probability)).toEqual({
      riskLevel: level,
      riskLevelBasis: 'probability_7d',
      riskLevelReason: `Collateral and debt move together: the probability of liquidation within 7 days ${reason}`,
    });
  });

  it('never rounds a health factor up to a threshold, down to the last wei', () => {
    expect(riskLevelOf(10n ** 18n - 1n, null)).toMatchObject({
      riskLevel: 'liquidatable',
      riskLevelReason: 'Health factor 0.9999 is below 1.00.',
    });
    expect(riskLevelOf(125n * 10n ** 16n - 1n, null).riskLevelReason).toBe(
      'Health factor 1.2499 is between 1.10 and 1.25.',
    );
  });

  it('equals the thresholds in responses', () => {
    expect(RISK_THRESHOLDS).toEqual({
      healthFactor: { liquidatable: 1, critical: 1.1, high: 1.25, moderate: 1.5 },
      probability7d: { critical: 0.35, high: 0.1, moderate: 0.02 },
    });
    fc.assert(
      fc.property(anyRaw, fc.option(anyProbability), (raw, probability) => {
        const { healthFactor: edges, probability7d: from } = RISK_THRESHOLDS;
        const value = Number(`${raw}e-18`);
        // The double nearest to a wad may lie on the other side of a threshold.
        fc.pre(Object.values(edges).every((edge) => Math.abs(value - edge) > 1e-12));
        const byProbability = (['critical', 'high', 'moderate'] as const).find(
          (level) => probability !== null && probability >= from[level],
        );
        const byFactor = (['liquidatable', 'critical', 'high', 'moderate'] as const).find(
          (level) => value < edges[level],
        );
        const expected = value < 1 || probability === null ? byFactor : byProbability;
        expect(riskLevelOf(raw, probability).riskLevel).toBe(expected ?? 'low');
      }),
    );
  });

  it('never improves when the health factor falls or the probability rises', () => {
    fc.assert(
      fc.property(anyRaw, anyRaw, fc.option(anyProbability), (a, b, probability) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const rank = (raw: bigint): number => bandRank(bandOfFigures(raw, probability));
        expect(rank(low)).toBeGreaterThanOrEqual(rank(high));
      }),
    );
  });
});

describe('decidingProbability', () => {
  it('is null without debt, below 1 and where the health factor decides', () => {
    expect(decidingProbability(null, 0.1)).toBeNull();
    expect(decidingProbability(0.99, 0.1)).toBeNull();
    expect(decidingProbability(1.2, null)).toBeNull();
    expect(decidingProbability(wad(1.01), 0.004)).toBe(0.004);
  });
});

describe('levelOfEvent', () => {
  it('is the stated level, whatever the band', () => {
    expect(
      levelOfEvent({ level: 'critical', band: 'liquidatable', healthFactorRaw: String(wad(1.01)) }),
    ).toBe('critical');
  });

  it.each<[Band, number | null, Band]>([
    ['liquidatable', 1.01, 'critical'],
    ['liquidatable', 0.99, 'liquidatable'],
    ['critical', 0.99, 'liquidatable'],
    ['high', 1.26, 'high'],
    ['low', 1.01, 'low'],
    ['none', null, 'none'],
  ])('of an earlier release in band %s at %p is %s', (band, healthFactor, level) => {
    const healthFactorRaw = healthFactor === null ? null : String(wad(healthFactor));
    expect(levelOfEvent({ band, healthFactorRaw })).toBe(level);
    expect(riskLevelOfEvent({ band, healthFactorRaw }).riskLevel).toBe(level);
  });

  it('is liquidatable exactly when the health factor is below 1', () => {
    fc.assert(
      fc.property(fc.constantFrom(...BANDS), anyRaw, (band, raw) => {
        const isBelow = raw < 10n ** 18n;
        expect(levelOfEvent({ band, healthFactorRaw: String(raw) }) === 'liquidatable').toBe(isBelow);
      }),
    );
  });
});

describe('riskLevelOfEvent', () => {
  it('returns the reason of the stated figures', () => {
    expect(
      riskLevelOfEvent({
        level: 'low',
        band: 'low',
        healthFactorRaw: String(wad(1.01)),
        probability7d: 0.004,
      }).riskLevelReason,
    ).toContain('0.4 %, below 2 %');
  });

  it('returns no reason that an event of an earlier release does not state', () => {
    const held = { band: 'critical' as const, healthFactorRaw: String(wad(1.11)) };
    expect(riskLevelOfEvent(held)).toMatchObject({ riskLevel: 'critical', riskLevelBasis: 'health_factor' });
    const paired = { band: 'low' as const, healthFactorRaw: String(wad(1.01)) };
    expect(riskLevelOfEvent(paired)).toMatchObject({ riskLevel: 'low', riskLevelBasis: 'probability_7d' });
    for (const event of [held, paired])
      expect(riskLevelOfEvent(event).riskLevelReason).toContain('without its reason');
  });
});

describe('isDust', () => {
  it.each<[number | null, number | null, boolean]>([
    [0.02, 0.01, true],
    [9.99, 0, true],
    [10, 0, false],
    [0, 10, false],
    [5_000, 4, false],
    [null, 0, false],
    [0, null, false],
  ])('%p supplied and %p owed is %p', (supplied, debt, expected) => {
    expect(isDust(supplied, debt)).toBe(expected);
  });
});
