import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reliabilityChart } from './chart';
import { forecastsOf, HORIZONS_DAYS, MODELS, type Model } from './forecasts';
import { readPriceHistory } from './price-history';
import { calibrationOf, type Calibration } from './reliability';
import { checks, report } from './report';

const USAGE = `usage: npm run calibrate [-- FOLDER] [--shift DAYS] [--no-write]

  Forecasts every week of the price history with what was known at its start, compares with what came, and writes the
  tables and the plot of docs/model.md.

  FOLDER       daily prices, one CSV an asset (default: PRICES_DIR, else ../shared/data/prices)
  --shift N    starts N days after Monday, 0-6 (default 0)
  --no-write   only prints`;

const ROOT = path.join(__dirname, '../..');
const ASSETS = ['AAVE', 'BNB', 'BTC', 'CRV', 'ETH', 'LINK', 'MATIC', 'MKR', 'SNX', 'YFI'];
const BLOCK = /(?<=<!-- calibration -->\n)[\s\S]*?(?=<!-- \/calibration -->)/;

interface Arguments {
  folder: string;
  shiftDays: number;
  isWritten: boolean;
}

/** @throws Error for an option that does not exist or a shift that is none */
function parse(args: readonly string[]): Arguments {
  const parsed: Arguments = {
    folder: process.env['PRICES_DIR'] ?? path.join(ROOT, '../shared/data/prices'),
    shiftDays: 0,
    isWritten: true,
  };
  for (let i = 0; i < args.length; i += 1) {
    const argument = args[i]!;
    if (argument === '--no-write') parsed.isWritten = false;
    else if (argument === '--shift') parsed.shiftDays = Number(args[(i += 1)]);
    else if (argument.startsWith('--')) throw new Error(`There is no option ${argument}.\n\n${USAGE}`);
    else parsed.folder = argument;
  }
  if (![0, 1, 2, 3, 4, 5, 6].includes(parsed.shiftDays)) throw new Error(`--shift takes 0 to 6.\n\n${USAGE}`);
  return parsed;
}

function calibrate({ folder, shiftDays, isWritten }: Arguments): void {
  const histories = ASSETS.map((asset) => readPriceHistory(folder, asset));
  const forecasts = histories.flatMap((history) => {
    console.error(history.asset);
    return forecastsOf(history, shiftDays);
  });
  const calibrations = new Map<string, Calibration>();
  for (const days of HORIZONS_DAYS) {
    const ofHorizon = forecasts.filter(({ horizonDays }) => horizonDays === days);
    for (const model of MODELS) calibrations.set(`${days} ${model}`, calibrationOf(ofHorizon, model));
  }
  const of = (days: number, model: Model): Calibration => calibrations.get(`${days} ${model}`)!;
  const tables = report(of);
  console.log(`${forecasts.length} forecasts, starts ${shiftDays} days after Monday\n\n${tables}\n`);
  for (const { name, value, limit, holds } of checks(of)) {
    console.log(`${holds ? 'holds' : 'FAILS'}  ${name}: ${value.toFixed(4)} <= ${limit.toFixed(4)}`);
    if (!holds) process.exitCode = 1;
  }
  if (!isWritten) return;
  const document = path.join(ROOT, 'docs/model.md');
  const counted = `${forecasts.length} forecasts (\`npm run calibrate\`).\n\n${tables}`;
  writeFileSync(document, readFileSync(document, 'utf8').replace(BLOCK, `${counted}\n`));
  writeFileSync(path.join(ROOT, 'docs/calibration.svg'), reliabilityChart(of));
}

export function main(args: readonly string[]): void {
  if (args.includes('--help')) {
    console.log(USAGE);
    return;
  }
  try {
    calibrate(parse(args));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
