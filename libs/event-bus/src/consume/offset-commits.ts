import type { BusLogger } from '../options';

/** The successor of a killed process repeats the work of this time. The inbox prevents a second effect. */
const COMMIT_EVERY_MS = 200;

/** Commits offsets in parallel to the work. Between two batches, every batch would wait for the broker. */
export class OffsetCommits {
  #commit: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly logger: Pick<BusLogger, 'warn'>) {}

  /**
   * Reports that more work is done than committed.
   * @param commit commits everything that is done at the time of its call
   */
  due(commit: () => Promise<void>): void {
    this.#commit = commit;
    this.#timer ??= setTimeout(() => void this.flush(), COMMIT_EVERY_MS);
  }

  /** Commits now. Never rejects: offsets that could not be committed are committed with the next batch. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const commit = this.#commit;
    this.#commit = undefined;
    if (commit) this.#last = this.#last.then(() => this.#run(commit));
    return this.#last;
  }

  async #run(commit: () => Promise<void>): Promise<void> {
    try {
      await commit();
    } catch (error) {
      this.logger.warn({ err: error }, 'cannot commit offsets; the next batch commits them');
    }
  }
}
