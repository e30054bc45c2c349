import { backoffMs, pause } from '../backoff';
import type { BusHealth } from '../options';
import { LogReader, type LogReaderOptions } from './log-reader';

/** A reader that can be started once. */
export type RunningReader = Pick<LogReader, 'caughtUp' | 'start' | 'stop' | 'health'>;

/** Delay between two attempts to begin. Each attempt has its own ten seconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 2_000;

/** Reads the topics while a service runs. It retries when the broker is unavailable at the start. */
export class ReaderLoop {
  private readonly stopping = new AbortController();
  private reader: RunningReader | undefined;
  private running: Promise<void> = Promise.resolve();

  /**
   * @param options of each attempt, first read at the start; `logger` receives failed attempts
   * @param open creates the reader of an attempt; the default reads in this thread
   */
  constructor(
    private readonly options: () => LogReaderOptions,
    private readonly open: (options: LogReaderOptions) => RunningReader = (each) => new LogReader(each),
  ) {}

  /** Begins in the background. */
  start(): void {
    this.running = this.begin();
  }

  /** Leaves the group. Nothing is read afterwards. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.reader?.stop();
  }

  /** `ok` when everything that was in the topics at the start has been read and reading continues. */
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
        logger.warn({ err: error }, 'cannot read the topics; it retries');
        await this.reader.stop().catch(() => undefined);
        await pause(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS, random), signal);
      }
    }
  }
}
