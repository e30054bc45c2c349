/** Burst after a pause, as time of the rate. */
const BURST_MS = 100;
/**
 * A caller that must wait waits until this much can be sent in a row, so that several requests share one
 * wake-up.
 */
const STEP_MS = 10;

/** Limits the requests to one endpoint to a rate (the generic cell rate algorithm). */
export class RateLimiter {
  #nextMs = 0;

  /** Returns the milliseconds until the next request may begin. 0 means now, and counts the request. */
  take(nowMs: number, perSecond: number): number {
    const nextMs = Math.max(this.#nextMs, nowMs);
    const waitMs = nextMs - nowMs - BURST_MS;
    if (waitMs > 0) return waitMs + STEP_MS;
    this.#nextMs = nextMs + 1_000 / perSecond;
    return 0;
  }
}

/** Failures in a row after which an endpoint counts as failing. */
const OPENS_AFTER = 10;

/**
 * Detects an endpoint that keeps failing. The service then sends one attempt at a time to find out when it
 * recovers. Due deliveries wait in its queue meanwhile and use up no attempts.
 */
export class Breaker {
  #failures = 0;

  get isOpen(): boolean {
    return this.#failures >= OPENS_AFTER;
  }

  /** True until the first failure, and again after each success. */
  get isFresh(): boolean {
    return this.#failures === 0;
  }

  record(isSuccess: boolean): void {
    this.#failures = isSuccess ? 0 : this.#failures + 1;
  }
}

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
