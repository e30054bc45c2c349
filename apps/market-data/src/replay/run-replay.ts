import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { replayChart } from './chart';
import { PERIODS, type PeriodResult, judge, replay } from './replay';
import type { DayRange } from '../risk/volatility';

/**
 * Reads high and low of each day from `<folder>/<asset>.csv` with the columns Date, High, Low. A row without
 * them is a gap.
 * @throws Error with the next step when the file is missing or lacks a column
 */
export function readDailyRanges(folder: string, asset: string): Map<string, DayRange> {
  const file = path.join(folder, `${asset}.csv`);
  if (!existsSync(file)) {
    throw new Error(
      `There are no daily prices at ${file}. Name their folder: npm run tool -- index-replay FOLDER.`,
    );
  }
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const columns = head.trim().split(',');
  const [date, high, low] = ['Date', 'High', 'Low'].map((name) => {
    const index = columns.indexOf(name);
    if (index < 0) throw new Error(`${file} has no column ${name}. Write the file again.`);
    return index;
  }) as [number, number, number];
  const ranges = new Map<string, DayRange>();
  for (const line of lines) {
    const cells = line.split(',');
    const range = { high: Number(cells[high] || NaN), low: Number(cells[low] || NaN) };
    if (range.low > 0 && range.high >= range.low) ranges.set(cells[date]!, range);
  }
  return ranges;
}

const USAGE = `usage: npm run tool -- index-replay FOLDER [--no-write]

  Replays the volatility component of the risk index over daily prices of BTC and ETH, and writes the table and the plot of
  docs/model.md. The exit code is 1 when it is below its 85th percentile at the end of a period of stress.

  FOLDER       daily prices, one CSV an asset with the columns Date, High, Low
  --no-write   only prints`;

const ASSETS = ['BTC', 'ETH'];
const BLOCK = /(?<=<!-- index-replay -->\n)[\s\S]*?(?=<!-- \/index-replay -->)/;

/** Folders of the command. */
export interface ReplayFiles {
  /** Root of the repository. */
  root: string;
  out: (text: string) => void;
}

/**
 * Returns the exit code.
 * @throws Error with one clear line when prices are missing or an option is unknown
 */
export function runReplay(args: readonly string[], { root, out }: ReplayFiles): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean' }, 'no-write': { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) {
    out(USAGE);
    return 0;
  }
  const folder = positionals[0];
  if (!folder) throw new Error(`Name the folder of daily prices.\n\n${USAGE}`);
  const series = replay(ASSETS.map((asset) => readDailyRanges(folder, asset)));
  const results = PERIODS.map((period) => judge(series, period));
  const table = tableOf(results);
  const span = `${series.length} days, ${series[0]!.day} to ${series.at(-1)!.day}`;
  out(`${span}\n\n${table}\n`);
  for (const { name, end, limit, holds } of results) {
    out(`${holds ? 'holds' : 'FAILS'}  ${name}: ${end.toFixed(1)} >= ${limit.toFixed(1)}`);
  }
  if (!values['no-write']) {
    const document = path.join(root, 'docs/model.md');
    const text = readFileSync(document, 'utf8');
    writeFileSync(
      document,
      text.replace(BLOCK, `${span} (\`npm run tool -- index-replay FOLDER\`).\n\n${table}\n`),
    );
    writeFileSync(path.join(root, 'docs/index-replay.svg'), replayChart(series, results));
  }
  return results.every(({ holds }) => holds) ? 0 : 1;
}

function tableOf(results: readonly PeriodResult[]): string {
  const rows = results.map(({ name, from, to, end, limit, endPercentile, reachedOn }) => [
    name,
    `${from} to ${to}`,
    end.toFixed(1),
    endPercentile.toFixed(1),
    limit.toFixed(1),
    reachedOn ?? 'never',
  ]);
  const head = [
    'period',
    'days',
    'component at its end',
    'percentile',
    '85th percentile',
    'at or above it from',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
