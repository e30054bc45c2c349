import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, listProcesses } from '@plimsoll/local-parts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);
const SAMPLE_MS = 500;

/** What a process and its descendants use. */
export interface ProcessUsage {
  /** Of one core, over half a second. */
  cpuPercent: number;
  memoryMb: number;
}

/** Measures all given process trees over the same half second; a tree that is gone has no entry. */
export async function measureUsage(pids: readonly number[]): Promise<Map<number, ProcessUsage>> {
  const table = await listProcesses();
  const trees = pids.map((pid) => [pid, ...descendantsOf(pid, table)]);
  const before = await Promise.all(trees.map(cpuMsOfTree));
  const startedAtMs = performance.now();
  await delay(SAMPLE_MS);
  const after = await Promise.all(trees.map(cpuMsOfTree));
  const elapsedMs = performance.now() - startedAtMs;
  const memory = await Promise.all(trees.map(memoryMbOfTree));
  return new Map(
    pids.flatMap((pid, index): [number, ProcessUsage][] => {
      const memoryMb = memory[index] ?? 0;
      const usedMs = Math.max(0, (after[index] ?? 0) - (before[index] ?? 0));
      return memoryMb === 0 ? [] : [[pid, { cpuPercent: (100 * usedMs) / elapsedMs, memoryMb }]];
    }),
  );
}

async function cpuMsOfTree(pids: readonly number[]): Promise<number> {
  return sum(await Promise.all(pids.map(cpuMs)));
}

/** Postgres' processes share memory, which is counted once (PSS); a single process is told as its RSS. */
async function memoryMbOfTree(pids: readonly number[]): Promise<number> {
  if (pids.length === 1) return rssMb(pids[0] ?? 0);
  return sum(await Promise.all(pids.map(async (pid) => (await pssMb(pid)) ?? rssMb(pid))));
}

async function cpuMs(pid: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return ticks * 10;
  } catch {
    return cpuMsFromPs(pid);
  }
}

async function cpuMsFromPs(pid: number): Promise<number> {
  const [time = ''] = await psFields(pid, 'time');
  const seconds = time.split(/[:-]/).reduce((total, part) => total * 60 + Number(part), 0);
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}

async function rssMb(pid: number): Promise<number> {
  const [rssKb = '0'] = await psFields(pid, 'rss');
  return Number(rssKb) / 1024;
}

async function pssMb(pid: number): Promise<number | undefined> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kb = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

async function psFields(pid: number, field: string): Promise<string[]> {
  try {
    const { stdout } = await execFileAsync('ps', ['-o', `${field}=`, '-p', String(pid)], { timeout: 5_000 });
    return stdout.trim().split(/\s+/);
  } catch {
    return [];
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
