import { setTimeout as delay } from 'node:timers/promises';

/** Bounds of waitFor. */
export interface WaitOptions {
  /** Default 30,000. */
  timeoutMs?: number;
  /** Wait between two checks; default 20. */
  intervalMs?: number;
  /** The unmet condition, for the error. */
  message: string;
}

/**
 * Repeats `condition` until it returns a truthy value, and returns that. A condition that throws counts as
 * unmet. Its last error is the cause of the error at the deadline.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 20, message }: WaitOptions,
): Promise<Exclude<NonNullable<T>, false>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const value = await condition();
      if (value) return value as Exclude<NonNullable<T>, false>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(intervalMs);
  } while (performance.now() < deadline);
  throw new Error(`not within ${timeoutMs} ms: ${message}`, { cause });
}
