import fc from 'fast-check';
import { type RandomBits, randomBits } from '../random/random';
import {
  CALM_COHORTS,
  type CalibrationAlarm,
  type Cohort,
  betFactors,
  calibrationAlarm,
} from './calibration-watch';
import { normalCdf, normalInverse } from './normal';

const POSITIONS = 40;
/** The common part of all positions' moves: correlation 0.7. */
const COMMON = 0.7;

const uniform = (bits: RandomBits): number => (bits() + 0.5) / 2 ** 32;

/**
 * Positions that share most of their move: each falls when √c · market + √(1 − c) · own is below its
 * threshold. The forecast is the probability of that, times `bias`.
 */
function cohort(bits: RandomBits, bias: number, censoredBelow = 0): Cohort {
  const market = normalInverse(uniform(bits));
  let [events, censored, sumProbability] = [0, 0, 0];
  for (let position = 0; position < POSITIONS; position += 1) {
    const probability = 0.08 * uniform(bits) ** 2;
    const own = normalInverse(uniform(bits));
    const rank = normalCdf(Math.sqrt(COMMON) * market + Math.sqrt(1 - COMMON) * own);
    sumProbability += Math.min(1, probability * bias);
    // Owners in danger act: most of those who would have fallen, and some who would not.
    if (uniform(bits) < censoredBelow && rank < probability * 3) censored += 1;
    else if (rank < probability) events += 1;
  }
  return { forecasts: POSITIONS, events, censored, sumProbability };
}

function cohorts(seed: number, count: number, bias: number, censoredBelow = 0): Cohort[] {
  const bits = randomBits(seed);
  return Array.from({ length: count }, () => cohort(bits, bias, censoredBelow));
}

describe('betFactors', () => {
  it('gain nothing on average while the forecasts are right, for dependent and censored outcomes too', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 0, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(0.1, 0.3, 0.6),
        (forecasts, a, b, weight, censoring, stake) => {
          const outcomes = [a % (forecasts + 1), b % (forecasts + 1)] as const;
          const weights = [weight, 1 - weight] as const;
          const sumProbability = outcomes[0] * weights[0] + outcomes[1] * weights[1];
          const mean = { tooLow: 0, tooHigh: 0 };
          outcomes.forEach((would, at) => {
            // Censoring removes events first, because owners in danger act.
            const censored = Math.floor(censoring * forecasts);
            const events = Math.max(0, would - censored);
            const factors = betFactors({ forecasts, events, censored, sumProbability }, stake);
            expect(Math.min(factors.tooLow, factors.tooHigh)).toBeGreaterThanOrEqual(0);
            mean.tooLow += weights[at]! * factors.tooLow;
            mean.tooHigh += weights[at]! * factors.tooHigh;
          });
          expect(mean.tooLow).toBeLessThanOrEqual(1 + 1e-9);
          expect(mean.tooHigh).toBeLessThanOrEqual(1 + 1e-9);
        },
      ),
    );
  });
});

/**
 * The first alarm of a history of cohorts. Null: none opened.
 * @param everyDays the interval of the checks; an alarm stays open for at least CALM_COHORTS
 */
function firstAlarm(history: readonly Cohort[], everyDays = 1): CalibrationAlarm | null {
  for (let day = everyDays; day <= history.length; day += everyDays) {
    const alarm = calibrationAlarm(history.slice(0, day));
    if (alarm.openedAt !== null) return alarm;
  }
  return null;
}

/** The share of calibrated years in which an alarm opened. */
function falseAlarms(years: number, censoredBelow: number): number {
  const seeds = Array.from({ length: years }, (_, year) => 1_000 + year);
  return seeds.filter((seed) => firstAlarm(cohorts(seed, 365, 1, censoredBelow), 20) !== null).length;
}

describe('calibrationAlarm', () => {
  it('has no result without cohorts', () => {
    expect(calibrationAlarm([])).toEqual({ openedAt: null, evidence: { tooLow: 0, tooHigh: 0 } });
  });

  // The bound is one alarm in 1,000 cohorts: 14.6 in 40 years.
  it('stays closed over calibrated years of positions that fall together', () => {
    expect(falseAlarms(40, 0)).toBeLessThanOrEqual(14);
  });

  it('stays closed although owners in danger act before their positions fall', () => {
    expect(falseAlarms(40, 0.8)).toBeLessThanOrEqual(14);
  });

  it('opens within 120 cohorts at five times as many events as forecast, and states the direction', () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const alarm = firstAlarm(cohorts(seed, 120, 0.2));
      expect(alarm).not.toBeNull();
      expect(alarm!.evidence.tooLow).toBeGreaterThan(alarm!.evidence.tooHigh);
    }
  });

  it('opens when many events were forecast and none happens', () => {
    const nothing: Cohort = { forecasts: 200, events: 0, censored: 0, sumProbability: 40 };
    const { openedAt, evidence } = calibrationAlarm(Array.from({ length: 60 }, () => nothing));
    expect(openedAt).toBeGreaterThan(5);
    expect(evidence.tooHigh).toBeGreaterThan(evidence.tooLow);
  });

  it('detects a fault that begins after a good year, and closes when it ends', () => {
    const good = cohorts(2, 365, 1);
    expect(firstAlarm(good, 20)).toBeNull();
    const bad = cohorts(4, 120, 0.2);
    const { openedAt } = firstAlarm([...good, ...bad])!;
    expect(openedAt).toBeGreaterThanOrEqual(365);
    const untilAlarm = [...good, ...bad].slice(0, openedAt! + 1);
    const calm = cohorts(5, CALM_COHORTS, 1);
    expect(calibrationAlarm([...untilAlarm, ...calm.slice(1)]).openedAt).toBe(openedAt);
    expect(calibrationAlarm([...untilAlarm, ...calm]).openedAt).toBeNull();
  });
});
