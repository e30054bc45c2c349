import { setTimeout as delay } from 'node:timers/promises';

/**
 * Wait before try number `attempt` (from 1), milliseconds: doubles from `baseMs` up to `capMs`, and its upper half is
 * random, so that the instances of a service do not come back all at once.
 */
export function backoffMs(attempt: number, baseMs: number, capMs: number, random: () => number): number {
  const fullMs = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(fullMs / 2 + (random() * fullMs) / 2);
}

/** Resolves after `ms`, or at once when the signal is aborted; it never rejects and does not keep the process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal, ref: false });
  } catch {
    // Aborted: whoever waits looks at the signal.
  }
}

/** Rejects with `error()` when the work has not settled within `ms`; the work itself goes on and its end is ignored. */
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
