import { setTimeout as delay } from 'node:timers/promises';

/**
 * Sends requests when they are due, whether earlier ones have responses or not. Returns the milliseconds from
 * each due time to the response.
 * @param send rejects when the response is not the expected one
 */
export async function atRate(
  perSecond: number,
  seconds: number,
  send: (at: number) => Promise<void>,
): Promise<number[]> {
  const latencies: number[] = [];
  const sent: Promise<void>[] = [];
  const startedAtMs = performance.now();
  for (let at = 0; at < perSecond * seconds; at += 1) {
    const dueMs = startedAtMs + (at * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    sent.push(send(at).then(() => void latencies.push(performance.now() - dueMs)));
  }
  await Promise.all(sent);
  return latencies;
}
