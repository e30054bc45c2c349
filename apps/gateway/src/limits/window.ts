import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Where in the minute a subject's windows begin, 0–59,999 ms: spread, so that not all accounts reset at once. */
export function windowOffsetMs(subjectId: string): number {
  return createHash('sha256').update(subjectId).digest().readUInt32BE(0) % MINUTE_MS;
}

/** End of the 60 s window that `nowMs` is in; at this instant the next one has begun. */
export function windowEndMs(nowMs: number, offsetMs: number): number {
  return nowMs - ((nowMs - offsetMs) % MINUTE_MS) + MINUTE_MS;
}

/** The next UTC midnight. */
export function dayEndMs(nowMs: number): number {
  return nowMs - (nowMs % DAY_MS) + DAY_MS;
}
