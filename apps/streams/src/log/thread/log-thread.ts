import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { LogReaderOptions, RunningReader } from '@plimsoll/event-bus';
import { WORKER } from '../../worker-file';
import type { Command, Report } from './messages';
import { RemoteReader } from './remote-reader';

/**
 * Reads Kafka in a separate thread. V8 optimises socket code for a whole thread: beside Kafka’s sockets,
 * the clients’ sockets were written by code for sockets of any kind, at twice the cost
 * (docs/decisions/0022-log-in-a-thread.md).
 */
@Injectable()
export class LogThread implements OnApplicationShutdown {
  private worker: Worker | undefined;
  private readonly readers = new Map<number, RemoteReader>();
  private made = 0;

  /**
   * Returns a reader like LogReader that runs in the thread. The options `now` and `random` are not passed
   * on.
   */
  reader(options: LogReaderOptions): RunningReader {
    const number = (this.made += 1);
    const reader = new RemoteReader(number, options, (command) => this.post(command));
    this.readers.set(number, reader);
    return reader;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  private post(command: Command): void {
    this.worker ??= this.start();
    this.worker.postMessage(command, []);
  }

  /**
   * Its errors have no listener, so a thread that dies also ends the service, and the clients reconnect
   * elsewhere.
   */
  private start(): Worker {
    const worker = new Worker(WORKER.file, { execArgv: WORKER.execArgv });
    worker.on('message', (report: Report) => {
      if (this.readers.get(report.reader)?.onReport(report)) this.readers.delete(report.reader);
    });
    return worker;
  }
}
