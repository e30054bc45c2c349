/** One deadline that can be set again. It does not keep the process alive. */
export class Timer {
  #timeout: NodeJS.Timeout | undefined;

  constructor(private readonly onDue: () => void) {}

  set(delayMs: number): void {
    this.clear();
    this.#timeout = setTimeout(this.onDue, delayMs);
    this.#timeout.unref();
  }

  clear(): void {
    clearTimeout(this.#timeout);
  }
}
