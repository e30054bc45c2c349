import { dayEndMs } from './window';

/** What a limit is on: an account, or a client address. */
export interface Subject {
  id: string;
  /** windowOffsetMs of the id. */
  offsetMs: number;
}

/** Calls that a subject may make. */
export interface Figures {
  perMinute: number;
  /** null: no daily limit. */
  perDay: number | null;
}

/** A window as a limiter found it, and how many of the calls asked for it let in. */
export interface Taking {
  /** By the limiter's clock. */
  nowMs: number;
  /** Calls in the window and in the UTC day before these. */
  used: number;
  usedToday: number;
  admitted: number;
  windowEndMs: number;
}

/** What a limit says to one call; the source of its headers. */
export interface Verdict {
  admitted: boolean;
  /** Which limit refused; null when admitted. */
  exceeded: 'minute' | 'day' | null;
  limit: number;
  remaining: number;
  /** When a refused caller may come again, or the window of an admitted one ends. */
  resetMs: number;
  /** By the limiter's clock. */
  nowMs: number;
  daily: { limit: number; remaining: number } | null;
}

/** How many of `wanted` calls fit: a refused call uses up neither limit. */
export function admissible(wanted: number, used: number, usedToday: number, figures: Figures): number {
  const today = figures.perDay === null ? Infinity : figures.perDay - usedToday;
  return Math.max(0, Math.min(wanted, figures.perMinute - used, today));
}

/** The verdict on the call at `ordinal` (from 0) of those taken together: the first ones are let in, in order. */
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

/** Whole seconds until a refused caller may come again; at least 1, and never before the reset. */
export function retryAfterSeconds(verdict: Verdict): number {
  return Math.max(1, Math.ceil((verdict.resetMs - verdict.nowMs) / 1_000));
}
