import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns where in the minute a subject's windows begin, 0–59,999 ms, spread so that not all accounts reset
 * at the same time.
 */
export function windowOffsetMs(subjectId: string): number {
  return createHash('sha256').update(subjectId).digest().readUInt32BE(0) % MINUTE_MS;
}

/** Returns the end of the 60 s window of `nowMs`. At that time the next one has begun. */
export function windowEndMs(nowMs: number, offsetMs: number): number {
  return nowMs - ((nowMs - offsetMs) % MINUTE_MS) + MINUTE_MS;
}

/** Returns the next UTC midnight. */
export function dayEndMs(nowMs: number): number {
  return nowMs - (nowMs % DAY_MS) + DAY_MS;
}
