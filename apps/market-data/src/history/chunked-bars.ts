import { setTimeout as delay } from 'node:timers/promises';
import { signalWithin } from '@plimsoll/service-kit';
import { type PricePoint, barsOfPoints } from './bars-of-points';
import { type DayBar, addDays, startOf } from './day-bar';

/** How to request a long period from a source. */
export interface ChunkOptions {
  /** Most days of one request. */
  days: number;
  /** Delay between two requests, because free plans limit requests per minute. */
  pauseMs: number;
  /** Deadline of one request. */
  timeoutMs: number;
}

/**
 * Returns bars from several requests, each for some of the days.
 * @throws the error of the first failing request
 */
export async function chunkedBars(
  firstDay: string,
  lastDay: string,
  { days, pauseMs, timeoutMs }: ChunkOptions,
  signal: AbortSignal,
  read: (fromMs: number, toMs: number, signal: AbortSignal) => Promise<PricePoint[]>,
): Promise<DayBar[]> {
  const bars: DayBar[] = [];
  for (let first = firstDay; first <= lastDay; first = addDays(first, days)) {
    if (first !== firstDay) await delay(pauseMs, undefined, { signal });
    const end = addDays(first, days) <= lastDay ? addDays(first, days) : addDays(lastDay, 1);
    const deadline = signalWithin(timeoutMs, signal);
    const points = await read(startOf(first), startOf(end) - 1, deadline);
    bars.push(...barsOfPoints(points).filter(({ day }) => day >= first && day < end));
  }
  return bars;
}
