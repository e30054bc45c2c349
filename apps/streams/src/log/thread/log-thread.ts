import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { LogReaderOptions, RunningReader } from '@plimsoll/event-bus';
import { WORKER } from '../../worker-file';
import type { Command, Report } from './messages';
import { RemoteReader } from './remote-reader';

/**
 * Reads the log in a thread of its own. What V8 learns about sockets it learns for a whole thread: beside Kafka’s, the
 * clients’ sockets were written to by code for sockets of any kind, at twice the cost (docs/decisions/0022).
 */
@Injectable()
export class LogThread implements OnApplicationShutdown {
  private worker: Worker | undefined;
  private readonly readers = new Map<number, RemoteReader>();
  private made = 0;

  /** A reader like LogReader, in the thread. Of its options, `now` and `random` stay behind. */
  reader(options: LogReaderOptions): RunningReader {
    const number = (this.made += 1);
    const reader = new RemoteReader(number, options, (command) => this.tell(command));
    this.readers.set(number, reader);
    return reader;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  private tell(command: Command): void {
    this.worker ??= this.start();
    this.worker.postMessage(command, []);
  }

  /** Nobody listens to its errors: a thread that dies takes the service with it, and the clients go on elsewhere. */
  private start(): Worker {
    const worker = new Worker(WORKER.file, { execArgv: WORKER.execArgv });
    worker.on('message', (report: Report) => {
      if (this.readers.get(report.reader)?.told(report)) this.readers.delete(report.reader);
    });
    return worker;
  }
}
