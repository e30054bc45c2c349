/**
 * Forecasts of one horizon made at one time, and their outcomes. The next cohort is made after all outcomes
 * of this one are known.
 */
export interface Cohort {
  /** At least one. Those with unknown outcomes count too. */
  forecasts: number;
  events: number;
  /** Forecasts whose outcome cannot be known. */
  censored: number;
  sumProbability: number;
}

/** The evidence of cohorts against their forecasts. */
export interface CalibrationEvidence {
  /** Evidence for more events than forecast. */
  tooLow: number;
  /** Evidence for fewer events than forecast. */
  tooHigh: number;
}

export interface CalibrationAlarm {
  /** Index of the cohort that opened the alarm. Null while it is closed. */
  openedAt: number | null;
  /** The evidence at the last alarm while it is open, else now. */
  evidence: CalibrationEvidence;
}

/**
 * Mean evidence at which an alarm opens. While the forecasts are calibrated, the mean number of cohorts until
 * the next alarm is at least this.
 */
export const ALARM_EVIDENCE = 1_000;
/** The alarm closes after this many cohorts without another. */
export const CALM_COHORTS = 30;

/**
 * Shares of the stake that are bet in parallel. Small shares find small errors in many cohorts, large
 * shares find large errors in few.
 */
const STAKES = [0.1, 0.3, 0.6] as const;
/** The least mean forecast that counts, because a smaller share of events is not relevant. */
const MIN_PROBABILITY = 0.002;

/**
 * Factors by which a bet on forecasts that are too low, and one on forecasts that are too high, multiply
 * their stake. Their mean is at most 1 for calibrated forecasts, for any dependence of the outcomes within
 * the cohort and any censoring: a censored forecast counts as the outcome that supports the forecasts.
 */
export function betFactors(cohort: Cohort, stake: number): { tooLow: number; tooHigh: number } {
  const { forecasts, events, censored, sumProbability } = cohort;
  const expected = sumProbability / forecasts;
  const lowest = events / forecasts;
  const highest = (events + censored) / forecasts;
  return {
    tooLow: 1 + stake * (lowest / Math.max(expected, MIN_PROBABILITY) - 1),
    tooHigh: 1 + (stake * (expected - highest)) / Math.max(1 - expected, MIN_PROBABILITY),
  };
}

interface OpenAlarm {
  /** Indices of the first and the last alarm. */
  since: number;
  last: number;
  evidence: CalibrationEvidence;
}

/**
 * Whether cohorts, oldest first, contradict their forecasts. It is a Shiryaev–Roberts sum of bets, so that a
 * late fault is found as fast as an early one. It restarts at each alarm. Source: Shin, Ramdas and Rinaldo,
 * E-detectors (2023).
 */
export function calibrationAlarm(cohorts: readonly Cohort[]): CalibrationAlarm {
  const low = STAKES.map(() => 0);
  const high = STAKES.map(() => 0);
  let evidence: CalibrationEvidence = { tooLow: 0, tooHigh: 0 };
  let open: OpenAlarm | undefined;
  for (const [index, cohort] of cohorts.entries()) {
    for (const [at, stake] of STAKES.entries()) {
      const factors = betFactors(cohort, stake);
      low[at] = (low[at]! + 1) * factors.tooLow;
      high[at] = (high[at]! + 1) * factors.tooHigh;
    }
    evidence = { tooLow: meanOf(low), tooHigh: meanOf(high) };
    if ((evidence.tooLow + evidence.tooHigh) / 2 >= ALARM_EVIDENCE) {
      open = { since: open?.since ?? index, last: index, evidence };
      low.fill(0);
      high.fill(0);
    } else if (open && index - open.last >= CALM_COHORTS) open = undefined;
  }
  return { openedAt: open?.since ?? null, evidence: open?.evidence ?? evidence };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
