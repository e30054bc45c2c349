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
