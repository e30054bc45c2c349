/** Failures in a row after which an endpoint counts as failing. */
const OPENS_AFTER = 10;

/**
 * Says whether an endpoint keeps failing. Then one attempt at a time tells when it is back; what is due waits in its lane
 * and uses up no attempts meanwhile.
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
