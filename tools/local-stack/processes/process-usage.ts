import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, listProcesses, type ProcessEntry } from '@plimsoll/local-parts';

const SAMPLE_MS = 500;

/** The usage of a process and its descendants. */
export interface ProcessUsage {
  /** Percent of one core, over half a second. */
  cpuPercent: number;
  memoryMb: number;
}

/**
 * Measures the given process trees over the same half second. A tree that has ended has no entry.
 * @param alone a process that is also measured without its descendants
 */
export async function measureUsage(
  pids: readonly number[],
  alone?: number,
): Promise<Map<number, ProcessUsage>> {
  const before = await listProcesses();
  const startedAtMs = performance.now();
  await delay(SAMPLE_MS);
  const after = await listProcesses();
  const elapsedMs = performance.now() - startedAtMs;
  const usages = await Promise.all(
    [...pids, ...(alone === undefined ? [] : [alone])].map(async (pid): Promise<[number, ProcessUsage][]> => {
      const tree = new Set(pid === alone ? [pid] : [pid, ...descendantsOf(pid, after)]);
      const memoryMb = await memoryOf(after.filter((entry) => tree.has(entry.pid)));
      const usedMs = Math.max(0, cpuOf(after, tree) - cpuOf(before, tree));
      return memoryMb === 0 ? [] : [[pid, { cpuPercent: (100 * usedMs) / elapsedMs, memoryMb }]];
    }),
  );
  return new Map(usages.flat());
}

function cpuOf(table: readonly ProcessEntry[], pids: ReadonlySet<number>): number {
  return sum(table.filter((entry) => pids.has(entry.pid)).map(({ cpuMs }) => cpuMs));
}

/**
 * Processes share memory: the program of Node, the buffers of Postgres. Linux states the share of each process (PSS), so that
 * a sum counts shared memory once.
 */
async function memoryOf(entries: readonly ProcessEntry[]): Promise<number> {
  return sum(
    await Promise.all(entries.map(async ({ pid, memoryMb }) => (await proportionalMb(pid)) ?? memoryMb)),
  );
}

async function proportionalMb(pid: number): Promise<number | undefined> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kb = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1];
    return kb === undefined ? undefined : Number(kb) / 1_024;
  } catch {
    return undefined;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
