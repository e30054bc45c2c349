import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { workspaceRoot } from '@plimsoll/local-parts';
import { measureUsage } from '../../tools/local-stack/processes/process-usage';
import { readRunState } from '../../tools/local-stack/processes/run-state';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';
import { cloneOfHead } from './clone-of-head';

export const description =
  'seconds and memory of npm start: on a clean clone after npm ci, and warm; then CPU at rest [--rounds N]';

const execFileAsync = promisify(execFile);
const DEFAULT_ROUNDS = 5;
/** Caches fill and the first snapshots are written before the stack is at rest. */
const SETTLE_MS = 60_000;
/** Code is still compiled in the first minutes: 11 % of a core two minutes after a start were 9 % after an hour. */
const REST_SETTLE_MS = 300_000;
/** Whales look for clusters once a minute. Chains at rest have a block every 8 s. */
const CPU_SAMPLE_MS = 120_000;
const BARS = { cleanSeconds: 45, warmSeconds: 10, memoryMb: 1_229, restPercent: 10, movingPercent: 40 };

interface Start {
  seconds: number;
  /** Memory of all processes at the moment of readiness. Shared memory is counted once. */
  memoryMb: number;
}

/** Measures clean and warm starts of a clone of HEAD, then memory and CPU at rest. */
export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: String(DEFAULT_ROUNDS) } },
  });
  const count = Number(values.rounds);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error('--rounds needs a whole number above 0');
  const clone = await cloneOfHead();
  const { npm } = clone;
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    const clean: Start[] = [];
    const warm: Start[] = [];
    for (let round = 1; round <= count; round += 1) {
      await clone.removeAllButPackages();
      clean.push(await startOnce(npm));
      await npm('stop');
      progress(`clean ${round}: ${JSON.stringify(clean.at(-1))}`);
    }
    for (let round = 1; round <= count; round += 1) {
      warm.push(await startOnce(npm));
      if (round < count) await npm('stop');
      progress(`warm ${round}: ${JSON.stringify(warm.at(-1))}`);
    }
    progress('waiting until the stack is at rest');
    await delay(SETTLE_MS);
    const moving = await usage(clone.path);
    await npm('run', '--silent', 'market', '--', 'pause');
    progress('waiting for five minutes with the market paused');
    await delay(REST_SETTLE_MS);
    const rest = await usage(clone.path);
    const memoryMb = Math.max(...[...clean, ...warm].map((start) => start.memoryMb), moving.memoryMb);
    return {
      commit: (
        await execFileAsync('git', ['rev-parse', '--short', 'HEAD'], { cwd: workspaceRoot() })
      ).stdout.trim(),
      machine: { cores: cpus().length, model: cpus()[0]?.model, node: process.version },
      bars: BARS,
      clean,
      warm,
      moving,
      rest,
      passed:
        median(clean) <= BARS.cleanSeconds &&
        median(warm) <= BARS.warmSeconds &&
        memoryMb <= BARS.memoryMb &&
        rest.cpuPercent <= BARS.restPercent &&
        moving.cpuPercent <= BARS.movingPercent,
    };
  } finally {
    await clone.remove();
  }
}

async function startOnce(npm: (...words: string[]) => Promise<string>): Promise<Start> {
  const startedAt = performance.now();
  const output = await npm('start', '--', '--detach');
  const seconds = (performance.now() - startedAt) / 1_000;
  const memoryMb = Number(/with (\d+) MB of memory/.exec(output)?.[1]);
  if (!Number.isFinite(memoryMb)) throw new Error(`npm start printed no memory: ${output.slice(-500)}`);
  return { seconds: Math.round(seconds * 10) / 10, memoryMb };
}

interface Usage {
  cpuPercent: number;
  memoryMb: number;
  processes: Record<string, { cpuPercent: number; memoryMb: number }>;
}

/** Measures every process of the stack in this folder over the same time, while no command runs. */
async function usage(clone: string): Promise<Usage> {
  const { launcher, entries } = readRunState(stackPaths(clone).runFile)!;
  const parts = entries.flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]));
  const pids = [...new Set(parts.map(({ pid }) => pid))];
  const measured = await measureUsage(pids, launcher.pid, CPU_SAMPLE_MS);
  const nameOf = new Map(
    [...parts, { name: 'launcher', pid: launcher.pid }].map(({ name, pid }) => [pid, name]),
  );
  const processes = Object.fromEntries(
    [...measured].map(([pid, { cpuPercent, memoryMb }]) => [nameOf.get(pid)!, { cpuPercent, memoryMb }]),
  );
  const all = Object.values(processes);
  return {
    cpuPercent: Math.round(all.reduce((sum, each) => sum + each.cpuPercent, 0) * 10) / 10,
    memoryMb: Math.round(all.reduce((sum, each) => sum + each.memoryMb, 0)),
    processes,
  };
}

function median(starts: readonly Start[]): number {
  const sorted = starts.map(({ seconds }) => seconds).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Infinity;
}
