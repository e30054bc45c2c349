import { touchedWithin, type TouchDays } from './history/historical-walk';

/** The shares of paths whose days the quantiles state. */
export const PASSAGE_QUANTILES = { p5: 0.05, p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75 } as const;

/**
 * Quantiles of the time to the first HF < 1: the first day by whose end this share of the paths has
 * fallen below 1, in whole days. Null past the horizon. As P(t) ≥ q exactly when the quantile is at most t,
 * they never contradict a probability from the same paths.
 */
export type PassageDays = Record<keyof typeof PASSAGE_QUANTILES, number | null>;

export function passageDays(walk: TouchDays): PassageDays {
  const reached = (quantile: number): number | null => {
    for (let day = 1; day <= walk.horizonDays; day += 1) {
      if (touchedWithin(walk, day) / walk.paths >= quantile) return day;
    }
    return null;
  };
  const { p5, p10, p25, p50, p75 } = PASSAGE_QUANTILES;
  return { p5: reached(p5), p10: reached(p10), p25: reached(p25), p50: reached(p50), p75: reached(p75) };
}

/** For a position that is below 1 already. */
export const PASSED: PassageDays = { p5: 0, p10: 0, p25: 0, p50: 0, p75: 0 };

/** For a position without debt. */
export const NEVER: PassageDays = { p5: null, p10: null, p25: null, p50: null, p75: null };
