import type { BusLogger } from '../options';

/** What a killed process had done in this time is done again by its successor, which the inbox makes harmless. */
const COMMIT_EVERY_MS = 200;

/** Commits offsets beside the work instead of between two batches, where every batch would wait for the broker once more. */
export class OffsetCommits {
  #commit: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly logger: Pick<BusLogger, 'warn'>) {}

  /** More is done than is committed. @param commit commits all that is done when it is called */
  due(commit: () => Promise<void>): void {
    this.#commit = commit;
    this.#timer ??= setTimeout(() => void this.flush(), COMMIT_EVERY_MS);
  }

  /** Commits now what is due. Never rejects: what could not be committed is due again with the next batch. */
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
      this.logger.warn({ err: error }, 'offsets could not be committed; they are with the next batch');
    }
  }
}
