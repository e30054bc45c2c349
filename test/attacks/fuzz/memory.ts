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
  /** Unix seconds. */
  startedAt: number;
}

/** Bytes of each process, the lowest of several samples, because a heap grows between collections. */
export type Memory = ReadonlyMap<string, Usage>;

export async function memoryOf({ services, isShort }: Pick<Target, 'services' | 'isShort'>): Promise<Memory> {
  // The services of one process show the same figures. Two processes may start in the same second.
  const processes = new Map(services.map((service) => [service.process, service.operationsUrl]));
  const lowest = new Map<string, Usage>();
  for (let at = 0; at < (isShort ? SAMPLES.short : SAMPLES.full); at += 1) {
    await delay(SAMPLE_MS);
    for (const [name, operationsUrl] of processes) {
      const response = await fetch(`${operationsUrl}/metrics`, { signal: AbortSignal.timeout(10_000) });
      const text = await response.text();
      const before = lowest.get(name);
      lowest.set(name, {
        resident: Math.min(before?.resident ?? Infinity, valueOf(text, METRICS.resident)),
        heap: Math.min(before?.heap ?? Infinity, valueOf(text, METRICS.heap)),
        startedAt: valueOf(text, STARTED),
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
  return [...end].map(([name, { resident, heap, startedAt }]) => {
    const [first, middle] = [start.get(name), half.get(name)];
    const isSame = first?.startedAt === startedAt && middle?.startedAt === startedAt;
    if (!isSame) return check(`the memory of ${name} is flat`, false, 'the process restarted');
    const isFlat = heap - middle.heap <= GROWTH_MIB * MIB && resident - middle.resident <= GROWTH_MIB * MIB;
    const line = (of: (usage: Usage) => number): string =>
      [first, middle, { resident, heap, startedAt }].map((usage) => Math.round(of(usage) / MIB)).join(', ');
    return check(
      `the memory of ${name} is flat`,
      isFlat,
      `resident ${line((usage) => usage.resident)} MiB and heap ${line((usage) => usage.heap)} MiB at the start, after half and at the end; at most ${GROWTH_MIB} MiB more after half`,
    );
  });
}
