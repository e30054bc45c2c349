import type { components } from '@plimsoll/sdk';

type Group = components['schemas']['TrackRecordGroup'];
type Band = Group['band'];

/** Bands of the health factor at the forecast, the nearest to liquidation first. */
const BANDS = ['critical', 'high', 'moderate', 'low'] as const satisfies readonly Band[];

/** Forecasts of one band with their outcomes. */
export interface Calibration {
  band: Band;
  /** Forecasts with an outcome, and those without. */
  n: number;
  censored: number;
  pending: number;
  /** Null while n is 0. */
  meanForecast: number | null;
  observedRate: number | null;
  /** The rate if none, or all, of the censored positions had become liquidatable. Null without outcomes and censored ones. */
  lowest: number | null;
  highest: number | null;
}

/** A mean of groups, each with a weight. Null without weight. */
function meanOf(
  groups: readonly Group[],
  value: (group: Group) => number | null,
  weight: (group: Group) => number,
): number | null {
  let [sum, all] = [0, 0];
  for (const group of groups) {
    const of = value(group);
    if (of === null) continue;
    sum += of * weight(group);
    all += weight(group);
  }
  return all > 0 ? sum / all : null;
}

/** The forecasts of a horizon and model version by band. Bands without any are left out. */
export function calibrationOf(
  groups: readonly Group[],
  horizonDays: number,
  modelVersion: string,
): Calibration[] {
  const wanted = groups.filter(
    (group) => group.horizonDays === horizonDays && group.modelVersion === modelVersion,
  );
  return BANDS.flatMap((band) => {
    const of = wanted.filter((group) => group.band === band);
    if (of.length === 0) return [];
    const total = (name: 'n' | 'censored' | 'pending'): number =>
      of.reduce((sum, group) => sum + group[name], 0);
    const closed = ({ n, censored }: Group): number => n + censored;
    return [
      {
        band,
        n: total('n'),
        censored: total('censored'),
        pending: total('pending'),
        meanForecast: meanOf(
          of,
          ({ meanForecast }) => meanForecast,
          ({ n }) => n,
        ),
        observedRate: meanOf(
          of,
          ({ observedRate }) => observedRate,
          ({ n }) => n,
        ),
        lowest: meanOf(of, ({ observedRateLowest }) => observedRateLowest, closed),
        highest: meanOf(of, ({ observedRateHighest }) => observedRateHighest, closed),
      },
    ];
  });
}
