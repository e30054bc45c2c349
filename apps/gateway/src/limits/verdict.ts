import { createHash } from 'node:crypto';

/** The subject of a limit: an account, or a client address. */
export interface Subject {
  id: string;
  /** windowOffsetMs of the id. */
  offsetMs: number;
  /** Sessions have their own minute, and share the day with the keys of their account. */
  window?: 'session';
}

/** Names the minute of a subject. */
export const minuteOf = ({ id, window }: Subject): string => `${id}|${window ?? ''}`;

/** Requests that a subject may send. */
export interface Figures {
  perMinute: number;
  /** null: no daily limit. */
  perDay: number | null;
}

/** The state of a window, and how many of the wanted requests it admits. */
export interface Taking {
  /** On the limiter's clock. */
  nowMs: number;
  /** Requests in the window and in the UTC day before these. */
  used: number;
  usedToday: number;
  admitted: number;
  windowEndMs: number;
}

/** Result of a limit for one request, from which its headers follow. */
export interface Verdict {
  admitted: boolean;
  /** The exceeded limit. Null when admitted. */
  exceeded: 'minute' | 'day' | null;
  limit: number;
  remaining: number;
  /** When a refused client may return, or when the window of an admitted request ends. */
  resetMs: number;
  /** On the limiter's clock. */
  nowMs: number;
  daily: { limit: number; remaining: number } | null;
}

/** Returns how many of `wanted` requests fit. A refused request counts toward neither limit. */
export function admissible(wanted: number, used: number, usedToday: number, figures: Figures): number {
  const today = figures.perDay === null ? Infinity : figures.perDay - usedToday;
  return Math.max(0, Math.min(wanted, figures.perMinute - used, today));
}

/**
 * Returns the verdict on the request at `ordinal` (from 0) of those taken together. The first ones are
 * admitted, in order.
 */
export function verdictOn(ordinal: number, taking: Taking, figures: Figures): Verdict {
  const admitted = ordinal < taking.admitted;
  const calls = Math.min(ordinal + 1, taking.admitted);
  const remainingToday =
    figures.perDay === null ? Infinity : Math.max(0, figures.perDay - taking.usedToday - calls);
  const isDayOver = !admitted && remainingToday === 0;
  return {
    admitted,
    exceeded: admitted ? null : isDayOver ? 'day' : 'minute',
    limit: figures.perMinute,
    remaining: admitted ? figures.perMinute - taking.used - calls : 0,
    resetMs: isDayOver ? dayEndMs(taking.nowMs) : taking.windowEndMs,
    nowMs: taking.nowMs,
    daily: figures.perDay === null ? null : { limit: figures.perDay, remaining: remainingToday },
  };
}

/** Returns the whole seconds until a refused client may return: at least 1, and never before the reset. */
export function retryAfterSeconds(verdict: Verdict): number {
  return Math.max(1, Math.ceil((verdict.resetMs - verdict.nowMs) / 1_000));
}

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
