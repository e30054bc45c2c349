import { HEALTH_FACTORS, HORIZONS_DAYS, MODELS, type Model } from './forecasts';
import type { Calibration } from './reliability';

export type CalibrationOf = (horizonDays: number, model: Model) => Calibration;

/** A line of the protocol: what was asked for, what came, and whether it holds. */
export interface Check {
  name: string;
  value: number;
  limit: number;
  holds: boolean;
}

const percent = (share: number): string => (100 * share).toFixed(1);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}

/** The limits of the calibration protocol: at 7 days a share of the daily-step error, at 30 days below both others. */
export function checks(of: CalibrationOf): Check[] {
  const error = (days: number, model: Model): number => of(days, model).expectedCalibrationError;
  const rows: [string, number, number][] = [
    ['fhs at 7 days, against 0.7 × daily-step', error(7, 'fhs'), 0.7 * error(7, 'daily-step')],
    ['fhs at 30 days, against daily-step', error(30, 'fhs'), error(30, 'daily-step')],
    ['fhs at 30 days, against gbm', error(30, 'fhs'), error(30, 'gbm')],
  ];
  return rows.map(([name, value, limit]) => ({ name, value, limit, holds: value <= limit }));
}

/** The tables of docs/model.md. */
export function report(of: CalibrationOf): string {
  const models = HORIZONS_DAYS.flatMap((days) =>
    MODELS.map((model) => {
      const { all, expectedCalibrationError, brierScore } = of(days, model);
      const ratio = (all.predicted / all.observed).toFixed(2);
      return [`${days} days`, model, expectedCalibrationError.toFixed(4), ratio, brierScore.toFixed(4)];
    }),
  );
  const byHealthFactor = HORIZONS_DAYS.flatMap((days) =>
    HEALTH_FACTORS.map((healthFactor, i) => [
      `${days} days`,
      healthFactor.toFixed(2),
      percent(of(days, 'fhs').byHealthFactor[i]!.observed),
      ...MODELS.map((model) => percent(of(days, model).byHealthFactor[i]!.predicted)),
    ]),
  );
  return [
    ...table(
      ['horizon', 'model', 'expected calibration error', 'predicted / observed', 'Brier score'],
      models,
    ),
    '',
    ...table(['horizon', 'HF', 'observed, %', ...MODELS.map((model) => `${model}, %`)], byHealthFactor),
  ].join('\n');
}
