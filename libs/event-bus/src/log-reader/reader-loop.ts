import { backoffMs, pause } from '../backoff';
import type { BusHealth } from '../options';
import { LogReader, type LogReaderOptions } from './log-reader';

/** A reader that may be started once. */
export type RunningReader = Pick<LogReader, 'caughtUp' | 'start' | 'stop' | 'health'>;

/** Between two tries to begin; each try has its own ten seconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 2_000;

/** Reads the log from the start of a service to its end: a broker that is away at the start is tried again. */
export class ReaderLoop {
  private readonly stopping = new AbortController();
  private reader: RunningReader | undefined;
  private running: Promise<void> = Promise.resolve();

  /**
   * @param options of each try, first asked for at the start; `logger` is told of tries that fail
   * @param open makes the reader of a try; unless told, one that reads in this thread
   */
  constructor(
    private readonly options: () => LogReaderOptions,
    private readonly open: (options: LogReaderOptions) => RunningReader = (each) => new LogReader(each),
  ) {}

  /** Begins in the background. */
  start(): void {
    this.running = this.begin();
  }

  /** Leaves the group; nothing is read after it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.reader?.stop();
  }

  /** `ok` once everything that was in the topics at the start has been read, and while reading goes on. */
  health(): BusHealth {
    return this.reader?.health() ?? { ok: false, detail: 'not reading the log' };
  }

  private async begin(): Promise<void> {
    const { signal } = this.stopping;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const options = this.options();
      const { random = Math.random, logger } = options;
      this.reader = this.open(options);
      try {
        return await this.reader.start();
      } catch (error) {
        logger.warn({ err: error }, 'the log cannot be read; it is tried again');
        await this.reader.stop().catch(() => undefined);
        await pause(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS, random), signal);
      }
    }
  }
}
