import type { PartitionLog } from './partition-log';

/**
 * Makes appends durable in groups: while the disk writes one group, the next one forms, so that many small
 * requests cost one write to the disk.
 */
export class Flusher {
  #gathering: { logs: Set<PartitionLog>; done: Promise<void> } | undefined;
  #running: Promise<void> = Promise.resolve();

  /** Resolves when all that was appended to these logs before the call is durable, or the log has failed. */
  flush(logs: Iterable<PartitionLog>): Promise<void> {
    if (!this.#gathering) {
      const group = { logs: new Set<PartitionLog>(), done: Promise.resolve() };
      group.done = this.#running.then(async () => {
        this.#gathering = undefined;
        await Promise.all([...group.logs].map((log) => log.sync()));
      });
      this.#gathering = group;
      this.#running = group.done;
    }
    for (const log of logs) this.#gathering.logs.add(log);
    return this.#gathering.done;
  }
}
