import { setTimeout as delay } from 'node:timers/promises';
import { type Check, check } from '../attack';
import type { Target } from '../target';

const SAMPLES = { full: 8, short: 2 };
const SAMPLE_MS = 500;
const MIB = 1_048_576;
/** A heap grows that much between two collections. */
const GROWTH_MIB = 64;

const METRICS = {
  resident: /^process_resident_memory_bytes (\S+)$/m,
  heap: /^nodejs_heap_size_used_bytes (\S+)$/m,
};
const STARTED = /^process_start_time_seconds (\S+)$/m;

interface Usage {
  resident: number;
  heap: number;
}

/** Bytes of each process, the lowest of several samples, because a heap grows between collections. */
export type Memory = ReadonlyMap<string, Usage>;

export async function memoryOf({ services, isShort }: Target): Promise<Memory> {
  const lowest = new Map<string, Usage>();
  for (let at = 0; at < (isShort ? SAMPLES.short : SAMPLES.full); at += 1) {
    await delay(SAMPLE_MS);
    const processes = new Map<string, { names: string[]; usage: Usage }>();
    for (const { name, operationsUrl } of services) {
      const response = await fetch(`${operationsUrl}/metrics`, { signal: AbortSignal.timeout(10_000) });
      const text = await response.text();
      const usage = { resident: valueOf(text, METRICS.resident), heap: valueOf(text, METRICS.heap) };
      // npm start runs all services in one process, unless it has --separate.
      const process = `${valueOf(text, STARTED)}`;
      const names = [...(processes.get(process)?.names ?? []), name];
      processes.set(process, { names, usage });
    }
    for (const { names, usage } of processes.values()) {
      const name = names.length === services.length ? 'all services' : names.join(', ');
      const before = lowest.get(name) ?? usage;
      lowest.set(name, {
        resident: Math.min(before.resident, usage.resident),
        heap: Math.min(before.heap, usage.heap),
      });
    }
  }
  return lowest;
}

/** @throws when the metric is missing: a check on nothing would pass */
function valueOf(text: string, metric: RegExp): number {
  const found = metric.exec(text)?.[1];
  if (found === undefined) throw new Error(`there is no ${metric.source} in /metrics`);
  return Number(found);
}

/**
 * Returns checks that the second half of the fuzz needs no more memory than the first, which also warms up code
 * and caches.
 */
export function flatMemory(start: Memory, half: Memory, end: Memory): Check[] {
  return [...end].map(([name, { resident, heap }]) => {
    const [first, middle] = [start.get(name), half.get(name)];
    if (!first || !middle) return check(`the memory of ${name} is flat`, false, 'the process restarted');
    const isFlat = heap - middle.heap <= GROWTH_MIB * MIB && resident - middle.resident <= GROWTH_MIB * MIB;
    const line = (of: (usage: Usage) => number): string =>
      [first, middle, { resident, heap }].map((usage) => Math.round(of(usage) / MIB)).join(', ');
    return check(
      `the memory of ${name} is flat`,
      isFlat,
      `resident ${line((usage) => usage.resident)} MiB and heap ${line((usage) => usage.heap)} MiB at the start, after half and at the end; at most ${GROWTH_MIB} MiB more after half`,
    );
  });
}
