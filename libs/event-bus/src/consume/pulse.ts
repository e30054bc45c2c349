const HEARTBEAT_MS = 1_500;

/**
 * Sends heartbeats while a batch runs, however long its handler takes. After a failed heartbeat the partition
 * may belong to another instance: `check` then throws, so that no further transaction begins.
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
