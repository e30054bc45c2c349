/** Longest time that events in memory wait for the rest of their partitions. */
const MOST_MS = 2_000;

/**
 * Partitions that have much more to read. The events in memory wait meanwhile, because each transaction of theirs would
 * delay the fetches, and so the events of other keys at the end of the partition.
 */
export class CatchUp {
  readonly #behind = new Set<string>();
  #sinceMs = 0;
  #wake: (() => void) | undefined;

  /** Records a fetch of a partition, and whether at least as many events follow it. */
  record(partition: string, isBehind: boolean): void {
    if (isBehind && this.#behind.size === 0) this.#sinceMs = performance.now();
    if (isBehind) this.#behind.add(partition);
    else this.#behind.delete(partition);
    if (this.#behind.size === 0) this.#wake?.();
  }

  /** Resolves when each partition is read, at most 2 s after the first was behind. */
  async done(): Promise<void> {
    const leftMs = this.#behind.size === 0 ? 0 : this.#sinceMs + MOST_MS - performance.now();
    if (leftMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  /** Forgets all partitions, and ends a wait. */
  clear(): void {
    this.#behind.clear();
    this.#wake?.();
  }
}
