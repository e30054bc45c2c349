import { daysBetween } from '../history/day-bar';
import { volatilityPoints } from '../risk/index-components';
import { type DayRange, basketVariance, parkinsonVolatilities } from '../risk/volatility';

/** The volatility component after a day. */
export interface ReplayedDay {
  day: string;
  /** Per √year. */
  volatility: number;
  /** 0–100, as the index has it. */
  points: number;
}

/** A time of stress, both ends included. */
export interface Period {
  name: string;
  from: string;
  to: string;
}

/** The periods of the stress scenarios that the prices reach. */
export const PERIODS: readonly Period[] = [
  { name: 'march_2020', from: '2020-03-07', to: '2020-03-13' },
  { name: 'may_2021', from: '2021-05-12', to: '2021-05-23' },
];

/** Where the component stood in a period, against all days. */
export interface PeriodResult extends Period {
  /** The 85th percentile of all days, points. */
  limit: number;
  /** Points and percentile at the end of the period, when all of it is in the figures. */
  end: number;
  endPercentile: number;
  /** First day on which the component is at or above the limit; null: none. */
  reachedOn: string | null;
  holds: boolean;
}

const QUANTILE = 0.85;
/** The weighted mean forgets where it began. */
const WARM_UP_DAYS = 60;

/** The volatility component after every day, of ranges by asset; days before all assets have prices count with those that do. */
export function replay(ranges: readonly ReadonlyMap<string, DayRange>[]): ReplayedDay[] {
  const known = ranges.flatMap((byDay) => [...byDay.keys()]).sort();
  const days = known.length === 0 ? [] : daysBetween(known[0]!, known.at(-1)!);
  const variances = days.map((day) => basketVariance(ranges.map((byDay) => byDay.get(day) ?? null)));
  return parkinsonVolatilities(variances)
    .map((volatility, index) => ({ day: days[index]!, volatility, points: volatilityPoints(volatility) }))
    .slice(WARM_UP_DAYS);
}

/** Whether the component is at or above its 85th percentile at the end of the period. @throws RangeError without its days */
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

/** Share of days at or below the value, percent. */
function percentileOf(sorted: readonly number[], value: number): number {
  return (100 * sorted.filter((each) => each <= value).length) / sorted.length;
}
