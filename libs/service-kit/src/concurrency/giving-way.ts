/** Longest time for which a request gives way before one of its steps, so that it ends under steady load too. */
const GIVE_WAY_MS = 100;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Giving {
  mustWait(): boolean;
  proceed(): void;
}

/** Requests that wait between two of their steps, because those of lighter accounts are in progress. */
export class GivingWay {
  readonly #giving = new Set<Giving>();
  #isResuming = false;
  #isChanged = false;

  /** Resolves when `mustWait` returns false, at most after 100 ms. */
  async wait(mustWait: () => boolean): Promise<void> {
    // Requests that arrived during the last step are received in the second turn of the event loop at the latest.
    await nextTurn();
    await nextTurn();
    if (!mustWait()) return;
    await new Promise<void>((resolve) => {
      const giving: Giving = {
        mustWait,
        proceed: () => {
          clearTimeout(timer);
          this.#giving.delete(giving);
          resolve();
        },
      };
      const timer = setTimeout(giving.proceed, GIVE_WAY_MS);
      this.#giving.add(giving);
    });
  }

  /** Call it when a request has ended. */
  resume(): void {
    this.#isChanged = true;
    if (this.#giving.size > 0 && !this.#isResuming) void this.#resumeEach();
  }

  /** One in each turn of the event loop, so that a request that arrives meanwhile stops the others again. */
  async #resumeEach(): Promise<void> {
    this.#isResuming = true;
    while (this.#isChanged) {
      this.#isChanged = false;
      for (const giving of this.#giving) {
        await nextTurn();
        if (!giving.mustWait()) giving.proceed();
      }
    }
    this.#isResuming = false;
  }
}
