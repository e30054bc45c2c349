import { setTimeout as delay } from 'node:timers/promises';

/** Repeats an observation until it returns a value. @throws after `withinMs`, with the name of what is missing */
export async function until<T>(
  what: string,
  observe: () => Promise<T | undefined>,
  withinMs = 20_000,
  intervalMs = 200,
): Promise<T> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const value = await observe();
    if (value !== undefined) return value;
    if (performance.now() > endMs) throw new Error(`${what}: not within ${withinMs / 1_000} s`);
    await delay(intervalMs);
  }
}
