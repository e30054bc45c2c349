/** Lets one caller sleep until a signal. A signal before the wait is not lost. */
export class Wakeup {
  #signalled = false;
  #wake: (() => void) | undefined;

  signal(): void {
    this.#signalled = true;
    this.#wake?.();
  }

  /** Resolves at the next signal, immediately when one came since the last wait, or after `ms`. */
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
