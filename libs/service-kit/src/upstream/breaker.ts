/** Failures in a row that open the breaker. */
const FAILURES_TO_OPEN = 5;
/**
 * An open breaker admits one request in this many milliseconds, to find out whether the service works again.
 */
const TRY_EVERY_MS = 1_000;

/**
 * Protects a failing service from requests and its callers from waiting. Closed: every request passes. Open,
 * after failures in a row: none passes. Half-open, a second later: one trial request passes, and its response
 * closes the breaker. When the trial has no result, because its client disconnected or it takes long, another
 * trial follows after a second.
 */
export class Breaker {
  private failures = 0;
  private nextTryAtMs = 0;

  get isOpen(): boolean {
    return this.failures >= FAILURES_TO_OPEN;
  }

  /**
   * Returns whether a request may pass.
   * @param nowMs monotonic time
   */
  admits(nowMs: number): boolean {
    if (!this.isOpen) return true;
    if (nowMs < this.nextTryAtMs) return false;
    this.nextTryAtMs = nowMs + TRY_EVERY_MS;
    return true;
  }

  /** Records a response of any status. */
  succeeded(): void {
    this.failures = 0;
  }

  /** Records that the service was unreachable, broke the connection, or missed the deadline. */
  failed(nowMs: number): void {
    this.failures += 1;
    if (this.isOpen) this.nextTryAtMs = nowMs + TRY_EVERY_MS;
  }
}
