/** Attempts in any minute to an endpoint that has not yet responded to test.ping. */
export const UNVERIFIED_PER_MINUTE = 100;
const MINUTE_MS = 60_000;

/** Allows at most 100 attempts in any minute, the first ones without a delay. */
export class UnverifiedAllowance {
  /** Times of the latest attempts, in milliseconds, as a ring. */
  readonly #times: number[] = [];
  #next = 0;
  #latestMs = -Infinity;

  /** True when the last minute had no attempt. */
  isFull(nowMs: number): boolean {
    return nowMs - this.#latestMs >= MINUTE_MS;
  }

  /** Returns the milliseconds until the next attempt may begin. 0 means now, and counts the attempt. */
  take(nowMs: number): number {
    const oldestMs = this.#times[this.#next];
    if (this.#times.length === UNVERIFIED_PER_MINUTE && oldestMs !== undefined) {
      const waitMs = oldestMs + MINUTE_MS - nowMs;
      if (waitMs > 0) return waitMs;
    }
    this.#times[this.#next] = nowMs;
    this.#latestMs = nowMs;
    this.#next = (this.#next + 1) % UNVERIFIED_PER_MINUTE;
    return 0;
  }
}
