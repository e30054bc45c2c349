import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LogReader, type LogReaderOptions } from '@plimsoll/event-bus';
import { Health, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { StreamsConfig } from '../config';
import { FanOut } from '../subscription/fan-out';
import { Watches } from './watches';

/** Between two tries to begin; each try has its own ten seconds. */
const RETRY_MS = 1_000;

/** Reads the log on every instance: who watches and all positions from the beginning, alerts from now on. */
@Injectable()
export class LogFollower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('log');
  private readonly stopping = new AbortController();
  private reader: LogReader;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: StreamsConfig,
    private readonly busLogger: PinoLogger,
    private readonly watches: Watches,
    private readonly fanOut: FanOut,
    health: Health,
  ) {
    this.reader = this.newReader();
    health.register('log', async () => {
      const { ok, detail } = this.reader.health();
      if (!ok) throw new Error(detail);
    });
  }

  /** Before it has caught up, a snapshot would be wrong and a filter would not know whose wallet is whose. */
  get isCaughtUp(): boolean {
    return this.reader.health().ok;
  }

  onApplicationBootstrap(): void {
    this.running = this.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.reader.stop();
  }

  private async begin(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        return await this.reader.start();
      } catch (error) {
        this.logger.warn({ msg: 'the log cannot be read; it is tried again', err: error });
        await this.reader.stop().catch(() => undefined);
        this.reader = this.newReader();
        await delay(RETRY_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private newReader(): LogReader {
    const options: LogReaderOptions = {
      ...kafkaSettings(this.config),
      clientId: 'streams',
      logger: this.busLogger,
      topics: { 'wallet.v1': 'beginning', 'position.v1': 'beginning', 'alert.v1': 'latest' },
      onEvents: (topic, partition, events, _highWatermark) => {
        if (topic === 'wallet.v1') for (const { key, value } of events) this.watches.apply(key, value);
        if (topic === 'position.v1') this.fanOut.positions(partition, events);
        if (topic === 'alert.v1') this.fanOut.alerts(partition, events);
      },
    };
    return new LogReader(options);
  }
}
