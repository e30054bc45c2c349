/** What may be sent at once after a rest, as time of the rate. */
const BURST_MS = 100;
/** Whoever has to wait does so until there is this much to send in a row: what it takes to wake up is shared then. */
const STEP_MS = 10;

/** Spreads the requests to one endpoint, so that no more than a rate begins (the generic cell rate algorithm). */
export class Pace {
  #nextMs = 0;

  /** Milliseconds until the next may begin at a rate; 0: now, and then it is counted. */
  take(nowMs: number, perSecond: number): number {
    const nextMs = Math.max(this.#nextMs, nowMs);
    const waitMs = nextMs - nowMs - BURST_MS;
    if (waitMs > 0) return waitMs + STEP_MS;
    this.#nextMs = nextMs + 1_000 / perSecond;
    return 0;
  }
}
