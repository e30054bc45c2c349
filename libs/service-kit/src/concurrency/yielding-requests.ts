/** Longest time for which a request yields before one of its steps, so that it ends under steady load too. */
export const YIELD_MS = 100;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface YieldingRequest {
  mustWait(): boolean;
  proceed(): void;
}

/** Requests that wait between two of their steps, because those of lighter accounts are in progress. */
export class YieldingRequests {
  readonly #yielding = new Set<YieldingRequest>();
  #isResuming = false;
  #isChanged = false;

  /** Resolves when `mustWait` returns false, at most after 100 ms. */
  async wait(mustWait: () => boolean): Promise<void> {
    // Requests that arrived during the last step are received in the second turn of the event loop at the latest.
    await nextTurn();
    await nextTurn();
    if (!mustWait()) return;
    await new Promise<void>((resolve) => {
      const own: YieldingRequest = {
        mustWait,
        proceed: () => {
          clearTimeout(timer);
          this.#yielding.delete(own);
          resolve();
        },
      };
      const timer = setTimeout(own.proceed, YIELD_MS);
      this.#yielding.add(own);
    });
  }

  /** Call it when a request has ended. */
  resume(): void {
    this.#isChanged = true;
    if (this.#yielding.size > 0 && !this.#isResuming) void this.#resumeEach();
  }

  /** One in each turn of the event loop, so that a request that arrives meanwhile stops the others again. */
  async #resumeEach(): Promise<void> {
    this.#isResuming = true;
    while (this.#isChanged) {
      this.#isChanged = false;
      for (const each of this.#yielding) {
        await nextTurn();
        if (!each.mustWait()) each.proceed();
      }
    }
    this.#isResuming = false;
  }
}
