import { setTimeout as delay } from 'node:timers/promises';
import { signalWithin } from '@plimsoll/service-kit';
import { type PricePoint, barsOfPoints } from './bars-of-points';
import { type DayBar, addDays, startOf } from './day-bar';

/** How a source is asked for a long time. */
export interface ChunkOptions {
  /** Days that one call may ask for. */
  days: number;
  /** Wait between two calls: free plans count calls a minute. */
  pauseMs: number;
  /** Of one call. */
  timeoutMs: number;
}

/** Bars of the days out of several calls, each for some of them. @throws what the first call that fails throws */
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
