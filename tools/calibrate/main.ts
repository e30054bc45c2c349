import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { seedOf } from '@plimsoll/risk-math';
import { parseArguments, USAGE, type Arguments, type Period } from './arguments';
import { reliabilityChart } from './chart';
import { averageCorrelation } from './correlation';
import { forecastsOf, HORIZONS_DAYS, isStart, type Forecast } from './forecasts';
import { assetsIn, readPriceHistory, type PriceHistory } from './price-history';
import { calibrationOf } from './reliability';
import { healthFactorTable, reliabilityTable, scoreTable, targets, type PeriodScores } from './report';
import { scoresOf } from './scores';

const ROOT = path.join(__dirname, '../..');
const BLOCK = /(?<=<!-- calibration -->\n)[\s\S]*?(?=<!-- \/calibration -->)/;
const DAY_MS = 86_400_000;

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Two periods with equally many start dates. */
function halves(histories: readonly PriceHistory[], shiftDays: number): Period[] {
  const starts = histories.flatMap((history) =>
    history.close.flatMap((_, at) => (isStart(history, at, shiftDays) ? [history.firstDay + at] : [])),
  );
  const days = [...new Set(starts)].toSorted((a, b) => a - b);
  const middle = days.length >> 1;
  return [days.slice(0, middle), days.slice(middle)]
    .filter((half) => half.length > 0)
    .map((half) => [half[0]!, half.at(-1)!] as const)
    .map(([from, to]) => ({ name: `${dateOf(from)}:${dateOf(to)}`, from, to }));
}

/** @throws Error when the period has no forecast */
function scoresOfPeriod(
  period: Period,
  histories: readonly PriceHistory[],
  correlation: number,
  shiftDays: number,
): { scores: PeriodScores; forecasts: Forecast[] } {
  const forecasts = histories.flatMap((history) => {
    const found = forecastsOf(history, period, shiftDays);
    console.error(`${period.name} ${history.asset}: ${found.length} forecasts`);
    return found;
  });
  if (forecasts.length === 0) throw new Error(`No forecast starts in ${period.name}.`);
  const horizons = HORIZONS_DAYS.map((horizonDays) => {
    console.error(`${period.name}: scores at ${horizonDays} days`);
    const ofHorizon = forecasts.filter((forecast) => forecast.horizonDays === horizonDays);
    const seed = seedOf(`${period.name} ${horizonDays}`);
    return { horizonDays, scores: scoresOf(ofHorizon, correlation, seed) };
  });
  return { scores: { period, horizons }, forecasts };
}

function calibrate({ folder, assets, periods, shiftDays, isJson, isChecked, isWritten }: Arguments): void {
  const histories = (assets ?? assetsIn(folder)).map((asset) => readPriceHistory(folder, asset));
  const correlation = averageCorrelation(histories);
  const results = (periods ?? halves(histories, shiftDays)).map((period) =>
    scoresOfPeriod(period, histories, correlation, shiftDays),
  );
  const scores = results.map((result) => result.scores);
  const forecasts = results.flatMap((result) => result.forecasts);
  const names = histories.map(({ asset }) => asset).join(', ');
  const head = `${forecasts.length} forecasts, starts ${shiftDays} days after Monday, ${names}`;
  const reached = targets(scores);
  if (isJson) {
    console.log(
      JSON.stringify(
        { forecasts: forecasts.length, shiftDays, correlation, periods: scores, targets: reached },
        null,
        1,
      ),
    );
  } else {
    console.log([head, scoreTable(scores), reliabilityTable(scores), healthFactorTable(scores)].join('\n\n'));
    console.log();
    for (const { name, value, limit, isMet } of reached) {
      console.log(`${isMet ? 'meets ' : 'misses'}  ${name}: ${value.toFixed(4)} <= ${limit}`);
    }
  }
  if (isChecked && reached.some(({ isMet }) => !isMet)) process.exitCode = 1;
  if (!isWritten) return;
  const document = path.join(ROOT, 'docs/model.md');
  const tables = [`${head}.`, scoreTable(scores), healthFactorTable(scores)].join('\n\n');
  writeFileSync(
    document,
    readFileSync(document, 'utf8').replace(BLOCK, () => `${tables}\n`),
  );
  const chart = reliabilityChart((days, model) =>
    calibrationOf(
      forecasts.filter(({ horizonDays }) => horizonDays === days),
      model,
    ),
  );
  writeFileSync(path.join(ROOT, 'docs/calibration.svg'), chart);
}

export function main(args: readonly string[]): void {
  if (args.includes('--help')) {
    console.log(USAGE);
    return;
  }
  try {
    calibrate(parseArguments(args, process.env['PRICES_DIR']));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
