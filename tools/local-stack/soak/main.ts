import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { workspaceRoot } from '@plimsoll/local-parts';
import { stackPaths } from '../settings/stack-paths';
import { readStatus } from '../commands/status-command';
import { parseDuration } from './duration';
import { type Sample, slopeOf } from './slope';

const HELP = `usage: npm run soak -- local DURATION [--every DURATION] [--warm-up DURATION] [--json]

Measures memory and CPU of every process of the running local stack (npm start -- --detach) and prints the slope of each.
A process grows when the 95 % interval of its slope lies above 1 MB an hour. The exit code is then 1. On Linux the pages of
programs and libraries are left out, because their share depends on the other processes of the machine.

  DURATION   90s, 10m, 1h, 8h
  --every    time between two measurements; 20s
  --warm-up  time before the first measurement; 30m
  --json     prints the result as JSON`;

/**
 * Buffers and caches fill after a start. The live heap of the services grew by 37 MB in the first half hour
 * and by 2 MB in the next.
 */
const WARM_UP = '30m';
const GROWTH_MB_PER_HOUR = 1;
const HOUR_MS = 3_600_000;

interface Result {
  name: string;
  firstMb: number;
  lastMb: number;
  mbPerHour: number;
  margin: number | null;
  cpuPercent: number;
  isGrowing: boolean;
}

/** Runs the command. Returns the exit code: 1 when a process grows, 2 for a wrong command line. */
export async function main(args: readonly string[]): Promise<number> {
  const options = parse(args);
  if (!options) {
    console.log(HELP);
    return args.includes('--help') ? 0 : 2;
  }
  const series = await collect(options);
  if (!series) {
    console.error('The local stack does not run. Start it with `npm start -- --detach`.');
    return 1;
  }
  const results = [...series].map(([name, { memory, cpu }]) => evaluate(name, memory, cpu));
  const summary = {
    hours: options.durationMs / HOUR_MS,
    warmUpSeconds: options.warmUpMs / 1_000,
    isFlat: results.every(({ isGrowing }) => !isGrowing),
    results,
  };
  console.log(options.isJson ? JSON.stringify(summary, null, 2) : table(results));
  if (!options.isJson) console.log(summary.isFlat ? 'Memory is flat.' : 'Memory grows.');
  return summary.isFlat ? 0 : 1;
}

interface Options {
  durationMs: number;
  everyMs: number;
  warmUpMs: number;
  isJson: boolean;
}

/** Undefined for a wrong command line. */
function parse(args: readonly string[]): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        every: { type: 'string', default: '20s' },
        'warm-up': { type: 'string', default: WARM_UP },
        json: { type: 'boolean', default: false },
      },
    });
    const [durationMs, everyMs, warmUpMs] = [positionals[1] ?? '', values.every, values['warm-up']].map(
      parseDuration,
    );
    if (positionals[0] !== 'local' || positionals.length !== 2) return undefined;
    if (durationMs === undefined || everyMs === undefined || warmUpMs === undefined) return undefined;
    return { durationMs, everyMs, warmUpMs, isJson: values.json };
  } catch {
    return undefined;
  }
}

type Series = Map<string, { memory: Sample[]; cpu: number[] }>;

/** Undefined when no stack runs. */
async function collect({ durationMs, everyMs, warmUpMs }: Options): Promise<Series | undefined> {
  const paths = stackPaths(workspaceRoot());
  if (!(await readStatus(paths))) return undefined;
  process.stderr.write(`warming up for ${warmUpMs / 1_000} s\n`);
  await delay(warmUpMs);
  const startedAt = performance.now();
  const series: Series = new Map();
  while (performance.now() - startedAt < durationMs) {
    const hours = (performance.now() - startedAt) / HOUR_MS;
    const entries = (await readStatus(paths)) ?? [];
    const total = { name: 'total', memoryMb: 0, cpuPercent: 0 };
    for (const { name, ownMemoryMb: memoryMb, cpuPercent } of entries) {
      if (memoryMb === null || cpuPercent === null) continue;
      add(series, name, { hours, value: memoryMb }, cpuPercent);
      total.memoryMb += memoryMb;
      total.cpuPercent += cpuPercent;
    }
    add(series, total.name, { hours, value: total.memoryMb }, total.cpuPercent);
    process.stderr.write(
      `${(hours * 60).toFixed(1)} min  ${total.memoryMb.toFixed(0)} MB  ${total.cpuPercent.toFixed(0)} % CPU\n`,
    );
    await delay(everyMs);
  }
  return series;
}

function add(series: Series, name: string, sample: Sample, cpuPercent: number): void {
  const of = series.get(name) ?? { memory: [], cpu: [] };
  of.memory.push(sample);
  of.cpu.push(cpuPercent);
  series.set(name, of);
}

function evaluate(name: string, memory: readonly Sample[], cpu: readonly number[]): Result {
  const { perHour, margin } = slopeOf(memory);
  return {
    name,
    firstMb: round(memory[0]?.value ?? 0),
    lastMb: round(memory.at(-1)?.value ?? 0),
    mbPerHour: round(perHour),
    margin: Number.isFinite(margin) ? round(margin) : null,
    cpuPercent: round(cpu.reduce((sum, value) => sum + value, 0) / Math.max(1, cpu.length)),
    isGrowing: perHour - margin > GROWTH_MB_PER_HOUR,
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

function table(results: readonly Result[]): string {
  const line = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(10))).join('');
  return [
    line(['process', 'first MB', 'last MB', 'MB/h', '± 95 %', 'CPU %', '']),
    ...results.map(({ name, firstMb, lastMb, mbPerHour, margin, cpuPercent, isGrowing }) =>
      line([
        name,
        ...[firstMb, lastMb, mbPerHour, margin ?? '-', cpuPercent].map(String),
        isGrowing ? 'grows' : '',
      ]),
    ),
  ].join('\n');
}
