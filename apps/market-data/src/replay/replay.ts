import { daysBetween } from '../history/day-bar';
import { volatilityPoints } from '../risk/index-components';
import { type DayRange, basketVariance, parkinsonVolatilities } from '../risk/volatility';

/** The volatility component after a day. */
export interface ReplayedDay {
  day: string;
  /** Per √year. */
  volatility: number;
  /** 0–100, as in the index. */
  points: number;
}

/** A period of stress, both ends included. */
export interface Period {
  name: string;
  from: string;
  to: string;
}

/** Periods of the stress scenarios within the prices. */
export const PERIODS: readonly Period[] = [
  { name: 'march_2020', from: '2020-03-07', to: '2020-03-13' },
  { name: 'may_2021', from: '2021-05-12', to: '2021-05-23' },
];

/** The component in a period, compared with all days. */
export interface PeriodResult extends Period {
  /** The 85th percentile of all days, points. */
  limit: number;
  /** Points and percentile at the end of the period, when it is completely covered. */
  end: number;
  endPercentile: number;
  /** First day on which the component is at or above the limit, or null. */
  reachedOn: string | null;
  holds: boolean;
}

const QUANTILE = 0.85;
/** After this many days the start value of the weighted mean has no effect. */
const WARM_UP_DAYS = 60;

/**
 * Returns the volatility component after every day, from ranges by asset. Days before all assets have prices
 * use those that do.
 */
export function replay(ranges: readonly ReadonlyMap<string, DayRange>[]): ReplayedDay[] {
  const known = ranges.flatMap((byDay) => [...byDay.keys()]).sort();
  const days = known.length === 0 ? [] : daysBetween(known[0]!, known.at(-1)!);
  const variances = days.map((day) => basketVariance(ranges.map((byDay) => byDay.get(day) ?? null)));
  return parkinsonVolatilities(variances)
    .map((volatility, index) => ({ day: days[index]!, volatility, points: volatilityPoints(volatility) }))
    .slice(WARM_UP_DAYS);
}

/**
 * Compares the component with its 85th percentile at the end of the period.
 * @throws RangeError without the days of the period
 */
export function judge(series: readonly ReplayedDay[], period: Period): PeriodResult {
  const inside = series.filter(({ day }) => day >= period.from && day <= period.to);
  const end = inside.at(-1);
  if (end?.day !== period.to) {
    throw new RangeError(`The prices do not reach ${period.name}. Give daily prices to ${period.to}.`);
  }
  const sorted = series.map(({ volatility }) => volatility).sort((a, b) => a - b);
  const limit = sorted[Math.ceil(QUANTILE * sorted.length) - 1]!;
  return {
    ...period,
    limit: volatilityPoints(limit),
    end: end.points,
    endPercentile: percentileOf(sorted, end.volatility),
    reachedOn: inside.find(({ volatility }) => volatility >= limit)?.day ?? null,
    holds: end.volatility >= limit,
  };
}

/** Returns the share of days at or below the value, in percent. */
function percentileOf(sorted: readonly number[], value: number): number {
  return (100 * sorted.filter((each) => each <= value).length) / sorted.length;
}
