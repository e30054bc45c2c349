import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { replayChart } from './chart';
import { readDailyRanges } from './daily-ranges';
import { PERIODS, type PeriodResult, judge, replay } from './replay';

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
