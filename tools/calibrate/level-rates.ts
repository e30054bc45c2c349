import type { PriceHistory } from './price-history';

/** Levels of a position with debt that is not yet liquidatable, with their health factors in hundredths. */
export const LEVEL_HEALTH_FACTORS = {
  low: [150, 299],
  moderate: [125, 149],
  high: [110, 124],
  critical: [100, 109],
} as const satisfies Record<string, readonly [number, number]>;
export type RatedLevel = keyof typeof LEVEL_HEALTH_FACTORS;

/** 2018-01-01, in days since 1970. */
const FIRST_START_DAY = 17_532;

/** Share of starts that were liquidated within the horizon. */
export interface LevelRate {
  level: RatedLevel;
  horizonDays: number;
  /** A daily low below the price of liquidation. */
  byLow: number;
  /** A daily close below it. */
  byClose: number;
  /** Pairs of a start and a health factor. */
  count: number;
}

interface Fall {
  low: number;
  close: number;
}

/** The lowest low and close of the days after each start, as shares of the close at the start. */
function fallsOf(history: PriceHistory, horizonDays: number): Fall[] {
  const falls: Fall[] = [];
  for (let at = 0; at + horizonDays < history.close.length; at += 1) {
    if (history.firstDay + at < FIRST_START_DAY) continue;
    const ahead = (prices: readonly number[]): number =>
      Math.min(...prices.slice(at + 1, at + 1 + horizonDays)) / history.close[at]!;
    falls.push({ low: ahead(history.low), close: ahead(history.close) });
  }
  return falls;
}

/**
 * The frequency of liquidations of an unchanged position of one asset against stable debt: every day is a
 * start, and every health factor of the level, in steps of 0.01 from its lower edge plus half a step, counts
 * the same.
 */
export function levelRates(histories: readonly PriceHistory[], horizonDays: number): LevelRate[] {
  const falls = histories.flatMap((history) => fallsOf(history, horizonDays));
  return (Object.keys(LEVEL_HEALTH_FACTORS) as RatedLevel[]).map((level) => {
    const [first, last] = LEVEL_HEALTH_FACTORS[level];
    const healthFactors = Array.from({ length: last - first + 1 }, (_, i) => (first + i + 0.5) / 100);
    const touched = (kind: keyof Fall): number =>
      healthFactors.reduce((sum, hf) => sum + falls.filter((fall) => fall[kind] * hf < 1).length, 0);
    const count = falls.length * healthFactors.length;
    return { level, horizonDays, byLow: touched('low') / count, byClose: touched('close') / count, count };
  });
}
