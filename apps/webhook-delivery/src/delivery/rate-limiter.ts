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
