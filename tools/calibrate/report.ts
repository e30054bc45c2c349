import type { Period } from './arguments';
import { HEALTH_FACTORS, MODELS, type Model } from './forecasts';
import type { Interval, Scores } from './scores';

/** All scores of one period. */
export interface PeriodScores {
  period: Period;
  /** In the order of `HORIZONS_DAYS`. */
  horizons: { horizonDays: number; scores: Record<Model, Scores> }[];
}

/** A target: its bound, the measured figure, and whether it is met. */
export interface Target {
  name: string;
  value: number;
  limit: number;
  isMet: boolean;
}

/** Upper bounds of the expected calibration error and of the Brier score relative to daily-step, by horizon. */
const LIMITS = new Map([
  [7, { error: 0.012, ratio: 0.985 }],
  [30, { error: 0.015, ratio: 1 }],
]);

const percent = (share: number): string => (100 * share).toFixed(1);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const bounded = ({ value, low, high }: Interval, digits: number): string =>
  `${value.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}

export function targets(periods: readonly PeriodScores[]): Target[] {
  return periods.flatMap(({ period, horizons }) =>
    horizons.flatMap(({ horizonDays, scores: { fhs } }) => {
      const { error, ratio } = LIMITS.get(horizonDays)!;
      const name = `${period.name}, fhs at ${horizonDays} days`;
      const rows: [string, number, number][] = [
        [`${name}: expected calibration error`, fhs.expectedCalibrationError.value, error],
        [`${name}: Brier score over daily-step`, fhs.brierRatio.value, ratio],
      ];
      return rows.map(([what, value, limit]) => ({ name: what, value, limit, isMet: value <= limit }));
    }),
  );
}

/** The scores of each model, with the interval of 95 % of the resamples. */
export function scoreTable(periods: readonly PeriodScores[]): string {
  const rows = periods.flatMap(({ period, horizons }) =>
    horizons.flatMap(({ horizonDays, scores }) =>
      MODELS.map((model) => {
        const { calibration, perfectError, sharpness, ...of } = scores[model];
        const { predicted, observed } = calibration.all;
        return [
          period.name,
          String(horizonDays),
          model,
          bounded(of.brierScore, 4),
          bounded(of.brierRatio, 3),
          bounded(of.logScore, 4),
          bounded(of.expectedCalibrationError, 4),
          `${perfectError.mean.toFixed(4)}, ${perfectError.p95.toFixed(4)}`,
          (predicted / observed).toFixed(2),
          sharpness.toFixed(3),
        ];
      }),
    ),
  );
  const head = ['starts', 'days', 'model', 'Brier score', 'over daily-step', 'log score', 'ECE'];
  return table([...head, 'perfect ECE, mean and 95 %', 'predicted / observed', 'sharpness'], rows).join('\n');
}

/** Predicted and observed of fhs over ten bins with equally many forecasts. */
export function reliabilityTable(periods: readonly PeriodScores[]): string {
  const rows = periods.flatMap(({ period, horizons }) =>
    horizons.map(({ horizonDays, scores: { fhs } }) => [
      period.name,
      String(horizonDays),
      ...fhs.calibration.bins.map(
        ({ predicted, observed }) => `${percent(predicted)} / ${percent(observed)}`,
      ),
    ]),
  );
  return table(['starts', 'days', ...Array.from({ length: 10 }, (_, i) => `bin ${i + 1}`)], rows).join('\n');
}

/** Observed and predicted by health factor. */
export function healthFactorTable(periods: readonly PeriodScores[]): string {
  const rows = periods.flatMap(({ period, horizons }) =>
    horizons.flatMap(({ horizonDays, scores }) =>
      HEALTH_FACTORS.map((healthFactor, i) => [
        period.name,
        String(horizonDays),
        healthFactor.toFixed(2),
        percent(scores.fhs.calibration.byHealthFactor[i]!.observed),
        ...MODELS.map((model) => percent(scores[model].calibration.byHealthFactor[i]!.predicted)),
      ]),
    ),
  );
  return table(['starts', 'days', 'HF', 'observed, %', ...MODELS.map((model) => `${model}, %`)], rows).join(
    '\n',
  );
}
