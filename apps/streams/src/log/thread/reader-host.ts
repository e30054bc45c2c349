import type { MessagePort } from 'node:worker_threads';
import { type BusLogger, LogReader, type LogReaderOptions } from '@plimsoll/event-bus';
import type { Command, ReaderSettings, Report } from './messages';

/** Runs readers in the thread, and passes their events to the service's own thread. */
export function hostReaders(port: MessagePort): void {
  const readers = new Map<number, HostedReader>();
  port.on('message', (command: Command) => {
    if (command.do === 'start') {
      const reader = new HostedReader(command.reader, command.settings, (report) =>
        port.postMessage(report, []),
      );
      readers.set(command.reader, reader);
      void reader.start();
    } else if (command.do === 'stop') {
      void readers.get(command.reader)?.stop();
      readers.delete(command.reader);
    } else readers.get(command.reader)?.acknowledged(command);
  });
}

class HostedReader {
  private readonly reader: LogReader;
  private batch = 0;
  private settle: ((response: Command & { do: 'take' | 'refuse' }) => void) | undefined;

  constructor(
    private readonly number: number,
    settings: ReaderSettings,
    private readonly report: (report: Report) => void,
  ) {
    this.reader = new LogReader({
      ...settings,
      logger: this.logger(),
      onBegin: (topic, partition, offset) =>
        report({ is: 'begin', reader: number, topic, partition, offset }),
      onEvents: (...batch) => this.post(...batch),
      onHealth: () => report({ is: 'health', reader: number, health: this.reader.health() }),
    });
    void this.reader.caughtUp.then(() => report({ is: 'caughtUp', reader: number }));
  }

  async start(): Promise<void> {
    const error = await failureOf(this.reader.start());
    this.report({ is: 'started', reader: this.number, error });
  }

  async stop(): Promise<void> {
    // A batch that waits for its response would prevent the reader from leaving.
    this.settle?.({ do: 'refuse', reader: this.number, batch: this.batch, reason: 'the reader stops' });
    this.report({ is: 'stopped', reader: this.number, error: await failureOf(this.reader.stop()) });
  }

  acknowledged(response: Command & { do: 'take' | 'refuse' }): void {
    if (response.batch === this.batch) this.settle?.(response);
  }

  /**
   * Resolves when the service has accepted the events, so that at most one batch waits between the threads.
   */
  private async post(
    ...[topic, partition, events, highWatermark]: Parameters<LogReaderOptions['onEvents']>
  ): Promise<void> {
    const batch = (this.batch += 1);
    const settled = new Promise<Command & { do: 'take' | 'refuse' }>((resolve) => (this.settle = resolve));
    this.report({ is: 'events', reader: this.number, batch, topic, partition, events, highWatermark });
    const response = await settled;
    if (response.do === 'refuse') throw new Error(response.reason);
  }

  private logger(): BusLogger {
    const at =
      (level: keyof BusLogger) =>
      (fields: object, message: string): void =>
        this.report({ is: 'line', reader: this.number, level, fields, message });
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }
}

async function failureOf(work: Promise<void>): Promise<Error | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
