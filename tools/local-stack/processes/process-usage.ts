import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, listProcesses, type ProcessEntry } from '@plimsoll/local-parts';

const SAMPLE_MS = 500;

/** The usage of a process and its descendants. */
export interface ProcessUsage {
  /** Percent of one core. */
  cpuPercent: number;
  memoryMb: number;
  /** Without the pages of files. */
  ownMemoryMb: number;
}

/** Memory in MB, with its share of what several processes use. */
export interface Memory {
  all: number;
  /**
   * Without the pages of files, which are programs and libraries. Their share changes whenever another process of the
   * machine begins or ends to use the same file, so it says nothing about growth.
   */
  own: number;
}

/**
 * Measures the given process trees over the same time. A tree that has ended has no entry.
 * @param alone a process that is also measured without its descendants
 * @param sampleMs the time over which CPU is measured. The clock of many systems counts 10 ms
 */
export async function measureUsage(
  pids: readonly number[],
  alone?: number,
  sampleMs = SAMPLE_MS,
): Promise<Map<number, ProcessUsage>> {
  const before = await listProcesses();
  const startedAtMs = performance.now();
  await delay(sampleMs);
  const after = await listProcesses();
  const elapsedMs = performance.now() - startedAtMs;
  const usages = await Promise.all(
    [...pids, ...(alone === undefined ? [] : [alone])].map(async (pid): Promise<[number, ProcessUsage][]> => {
      const tree = new Set(pid === alone ? [pid] : [pid, ...descendantsOf(pid, after)]);
      const memory = await Promise.all(after.filter((entry) => tree.has(entry.pid)).map(memoryOf));
      const [memoryMb, ownMemoryMb] = [sum(memory.map(({ all }) => all)), sum(memory.map(({ own }) => own))];
      const usedMs = Math.max(0, cpuOf(after, tree) - cpuOf(before, tree));
      const cpuPercent = (100 * usedMs) / elapsedMs;
      return memoryMb === 0 ? [] : [[pid, { cpuPercent, memoryMb, ownMemoryMb }]];
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
async function memoryOf({ pid, memoryMb }: ProcessEntry): Promise<Memory> {
  try {
    return parseRollup(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'));
  } catch {
    // Other systems state no shares.
    return { all: memoryMb, own: memoryMb };
  }
}

/**
 * Reads a smaps_rollup of Linux.
 * @throws when the text states no PSS
 */
export function parseRollup(text: string): Memory {
  const mb = (name: string): number | undefined => {
    const kb = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
    return kb === undefined ? undefined : Number(kb) / 1_024;
  };
  const all = mb('Pss');
  if (all === undefined) throw new Error('the rollup states no PSS');
  // Linux before 5.9 states the sum alone.
  return { all, own: all - (mb('Pss_File') ?? 0) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
