/** Lets one waiter sleep until something happens; what happened before the wait is not missed. */
export class Wakeup {
  #signalled = false;
  #wake: (() => void) | undefined;

  signal(): void {
    this.#signalled = true;
    this.#wake?.();
  }

  /** Resolves at the next signal, at once when one came since the last wait, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#signalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#signalled = false;
  }
}
