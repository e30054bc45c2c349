import type { BusHealth, LogReaderOptions, RunningReader } from '@plimsoll/event-bus';
import type { Command, ReaderSettings, Report } from './messages';

const NOT_READING: BusHealth = { ok: false, detail: 'not reading the log' };

/**
 * The service's side of a reader in the thread. It calls the callbacks of its options with the thread's
 * reports.
 */
export class RemoteReader implements RunningReader {
  readonly caughtUp: Promise<void>;
  private isCaughtUp: () => void = () => undefined;
  private onStarted: (error: Error | null) => void = () => undefined;
  private onStopped: (error: Error | null) => void = () => undefined;
  private stopped: Promise<void> | undefined;
  private known = NOT_READING;

  /** @param post sends a command to the reader's thread */
  constructor(
    private readonly number: number,
    private readonly options: LogReaderOptions,
    private readonly post: (command: Command) => void,
  ) {
    this.caughtUp = new Promise((resolve) => (this.isCaughtUp = resolve));
  }

  start(): Promise<void> {
    const { brokers, tls, sasl, clientId, topicPrefix, partitions, topics } = this.options;
    const settings: ReaderSettings = {
      brokers,
      tls,
      sasl,
      clientId,
      topics,
      ...(topicPrefix !== undefined && { topicPrefix }),
      ...(partitions !== undefined && { partitions }),
    };
    return settled((settle) => {
      this.onStarted = settle;
      this.post({ do: 'start', reader: this.number, settings });
    });
  }

  /** Call once. The thread then removes the reader. */
  stop(): Promise<void> {
    this.known = NOT_READING;
    return (this.stopped ??= settled((settle) => {
      this.onStopped = settle;
      this.post({ do: 'stop', reader: this.number });
    }));
  }

  health(): BusHealth {
    return this.known;
  }

  /** Returns true for the last report. */
  onReport(report: Report): boolean {
    if (report.is === 'begin') this.options.onBegin?.(report.topic, report.partition, report.offset);
    else if (report.is === 'events') void this.take(report);
    else if (report.is === 'health') this.known = report.health;
    else if (report.is === 'caughtUp') this.isCaughtUp();
    else if (report.is === 'started') this.onStarted(report.error);
    else if (report.is === 'line') this.options.logger[report.level](report.fields, report.message);
    else this.onStopped(report.error);
    return report.is === 'stopped';
  }

  private async take({
    batch,
    topic,
    partition,
    events,
    highWatermark,
  }: Report & { is: 'events' }): Promise<void> {
    const response = { reader: this.number, batch };
    try {
      const received = [topic, partition, events, highWatermark] as Parameters<LogReaderOptions['onEvents']>;
      await this.options.onEvents(...received);
      this.post({ do: 'take', ...response });
    } catch (error) {
      this.post({ do: 'refuse', ...response, reason: String(error) });
    }
  }
}

/**
 * Returns a promise that another function settles.
 * @param give receives that function; it takes null, or the error
 */
function settled(give: (settle: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => give((error) => (error ? reject(error) : resolve())));
}
