const HEARTBEAT_MS = 1_500;

/**
 * Heartbeats while a batch is in work, however long its handler takes. When one fails, the partition may already belong
 * to somebody else: `check` then throws, so that no further transaction is begun.
 */
export class Pulse {
  #fault: unknown;
  readonly #timer: NodeJS.Timeout;

  constructor(heartbeat: () => Promise<void>) {
    this.#timer = setInterval(() => {
      heartbeat().catch((error: unknown) => (this.#fault ??= error));
    }, HEARTBEAT_MS);
  }

  check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
