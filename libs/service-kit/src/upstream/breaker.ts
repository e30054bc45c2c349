/** Failures in a row after which a service counts as broken. */
const FAILURES_TO_OPEN = 5;
/** While it is broken one call in so many milliseconds is let through, to find out whether it still is. */
const TRY_EVERY_MS = 1_000;

/**
 * Spares a broken service, and its callers the wait. Closed: every call passes. Open, after failures in a row: none does.
 * Half-open, a second later: one call tries, and its answer closes the breaker. A try that tells nothing, because its
 * client left or it takes long, is followed by another a second after it.
 */
export class Breaker {
  private failures = 0;
  private nextTryAtMs = 0;

  get isOpen(): boolean {
    return this.failures >= FAILURES_TO_OPEN;
  }

  /**
   * True when a call may pass.
   * @param nowMs monotonic
   */
  admits(nowMs: number): boolean {
    if (!this.isOpen) return true;
    if (nowMs < this.nextTryAtMs) return false;
    this.nextTryAtMs = nowMs + TRY_EVERY_MS;
    return true;
  }

  /** The service answered, whatever it said. */
  succeeded(): void {
    this.failures = 0;
  }

  /** The service could not be reached, broke off, or did not answer in time. */
  failed(nowMs: number): void {
    this.failures += 1;
    if (this.isOpen) this.nextTryAtMs = nowMs + TRY_EVERY_MS;
  }
}
