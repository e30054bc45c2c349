/**
 * Bytes that may be in memory at one time. A request for more than the remainder waits in a queue.
 */
export class Budget {
  #free: number;
  readonly #waiting: { bytes: number; start: () => void }[] = [];
  #closed = false;

  constructor(private readonly total: number) {
    this.#free = total;
  }

  /** Resolves when the bytes are free. A request above the whole budget counts as the whole budget. */
  acquire(bytes: number): Promise<void> {
    const needed = Math.min(bytes, this.total);
    if (this.#closed || (this.#waiting.length === 0 && needed <= this.#free)) {
      this.#free -= needed;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push({ bytes: needed, start: resolve }));
  }

  release(bytes: number): void {
    this.#free += Math.min(bytes, this.total);
    this.#startWaiting();
  }

  /** Admits all waiting requests, because the broker stops. */
  close(): void {
    this.#closed = true;
    this.#startWaiting();
  }

  #startWaiting(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (!this.#closed && next.bytes > this.#free) return;
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.start();
    }
  }
}
