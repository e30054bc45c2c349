import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AlertV1, EventTopic, PositionV1, StreamName } from '@plimsoll/contracts';
import { LogReader, type LogReaderOptions, type ReceivedEvent } from '@plimsoll/event-bus';
import { Health, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { StreamsConfig } from '../config';
import { readLag } from '../metrics';
import { FanOut } from '../subscription/fan-out';
import { EndedKeys } from './ended-keys';
import { Logs, TOPIC_OF } from './logs';
import { Positions } from './positions';
import { type StreamEvent, alertEvent, positionEvent } from './stream-event';
import { Watches } from './watches';

/** Between two tries to begin; each try has its own ten seconds. */
const RETRY_MS = 1_000;
const EXPIRY_MS = 1_000;

/** Reads the log on every instance: which keys end, who watches and all positions from the beginning, alerts of the window. */
@Injectable()
export class LogFollower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('log');
  private readonly stopping = new AbortController();
  private reader: LogReader;
  private running: Promise<void> = Promise.resolve();
  private expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: StreamsConfig,
    private readonly busLogger: PinoLogger,
    private readonly endedKeys: EndedKeys,
    private readonly watches: Watches,
    private readonly known: Positions,
    private readonly logs: Logs,
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
    this.expiry = setInterval(() => this.logs.expire(Date.now()), EXPIRY_MS).unref();
    this.running = this.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.expiry);
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
    const sinceMs = Date.now() - this.config.RESUME_WINDOW_MS;
    const options: LogReaderOptions = {
      ...kafkaSettings(this.config),
      clientId: 'streams',
      logger: this.busLogger,
      topics: {
        'key.v1': 'beginning',
        'wallet.v1': 'beginning',
        'position.v1': 'beginning',
        'alert.v1': { sinceMs },
      },
      onBegin: (topic, partition, offset) => this.beginAt(topic, partition, Number(offset)),
      onEvents: (topic, partition, events, highWatermark) => {
        const next = Number(events.at(-1)?.offset ?? -1) + 1;
        readLag.set({ topic, partition }, Number(highWatermark) - next);
        if (topic === 'key.v1') for (const { key, value } of events) this.endedKeys.apply(key, value);
        if (topic === 'wallet.v1') for (const { key, value } of events) this.watches.apply(key, value);
        if (topic === 'position.v1') for (const event of events) this.position(event);
        if (topic === 'alert.v1') for (const event of events) this.alert(event);
        this.logs.expire(Date.now());
      },
    };
    return new LogReader(options);
  }

  private beginAt(topic: EventTopic, partition: number, offset: number): void {
    for (const [stream, name] of Object.entries(TOPIC_OF)) {
      if (name === topic) this.logs.of(stream as StreamName).begin(partition, offset);
    }
  }

  private position(event: ReceivedEvent<PositionV1>): void {
    const data = event.value && this.known.apply(event.value);
    if (data) this.append('positions', positionEvent(event, data));
    else this.logs.of('positions').advance(event.partition, Number(event.offset) + 1);
  }

  private alert(event: ReceivedEvent<AlertV1>): void {
    if (event.value) this.append('alerts', alertEvent(event, event.value));
  }

  private append(stream: StreamName, event: StreamEvent): void {
    const log = this.logs.of(stream);
    const cursorBefore = log.cursor;
    if (log.append(event)) this.fanOut.deliver(stream, event, log.cursor, cursorBefore);
  }
}
