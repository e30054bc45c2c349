import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns the delay before attempt `attempt` (from 1) in milliseconds. It doubles from `baseMs` up to
 * `capMs`. Its upper half is random, so that the instances of a service do not retry at the same time.
 */
export function backoffMs(attempt: number, baseMs: number, capMs: number, random: () => number): number {
  const fullMs = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(fullMs / 2 + (random() * fullMs) / 2);
}

/**
 * Resolves after `ms`, or immediately when the signal is aborted. It never rejects and does not keep the
 * process alive.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal, ref: false });
  } catch {
    // Aborted. The caller checks the signal.
  }
}

/**
 * Rejects with `error()` when the work has not settled within `ms`. The work continues, and its end is
 * ignored.
 */
export async function within<T>(ms: number, work: Promise<T>, error: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(error()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
