import type { StreamEvent } from './stream-event';

/**
 * Merges several lists. Each keeps its own order, and the earliest head comes first. At most `limit` events.
 */
export function mergeByTime(queues: readonly (readonly StreamEvent[])[], limit: number): StreamEvent[] {
  const heads = queues.map(() => 0);
  const merged: StreamEvent[] = [];
  while (merged.length < limit) {
    let earliest: StreamEvent | undefined;
    let from = 0;
    for (const [at, queue] of queues.entries()) {
      const event = queue[heads[at] as number];
      if (event && (!earliest || event.timeMs < earliest.timeMs)) [earliest, from] = [event, at];
    }
    if (!earliest) break;
    heads[from] = (heads[from] as number) + 1;
    merged.push(earliest);
  }
  return merged;
}
