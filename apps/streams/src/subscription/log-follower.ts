import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type {
  AlertChangeV1,
  AlertGroupV1,
  AlertV1,
  EventTopic,
  PositionV1,
  StreamName,
  WhaleV1,
} from '@plimsoll/contracts';
import { type LogReaderOptions, ReaderLoop, type ReceivedEvent, checkKafkaAccess } from '@plimsoll/event-bus';
import { Health, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { StreamsConfig } from '../config';
import { readLag } from '../metrics';
import { FanOut } from './fan-out';
import { EndedAccess } from '../log/ended-access';
import { isStreamTopic, streamPartitionOf } from '../log/stream-partitions';
import { Logs } from '../log/logs';
import { Positions } from '../log/positions';
import { type StreamEvent, alertEvent, groupEvent, positionEvent, whaleEvent } from '../log/stream-event';
import { LogThread } from '../log/thread/log-thread';
import { Watches } from '../log/watches';

const EXPIRY_MS = 1_000;
/** Longer than a ticket and a signed identity are valid. */
const SESSIONS_MS = 300_000;

/**
 * Topics of each reader. A fetch names every partition of its reader, and so does its response, which is most
 * of the work for one event. The topic with the most events therefore has its own reader.
 */
const READERS: readonly (readonly EventTopic[])[] = [
  ['position.v1'],
  [
    'account.v1',
    'key.v1',
    'session.v1',
    'wallet.v1',
    'alert.v1',
    'alert-change.v1',
    'alert-group.v1',
    'whale.v1',
  ],
];

/**
 * Reads Kafka on every instance: accounts, ended keys, watches and all positions from the beginning, alerts and whales
 * of the window, and sessions that ended while tickets of them may be valid.
 */
@Injectable()
export class LogFollower implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly readers: readonly ReaderLoop[];
  private expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: StreamsConfig,
    private readonly busLogger: PinoLogger,
    private readonly endedAccess: EndedAccess,
    private readonly watches: Watches,
    private readonly known: Positions,
    private readonly logs: Logs,
    private readonly fanOut: FanOut,
    thread: LogThread,
    health: Health,
  ) {
    this.readers = READERS.map(
      (topics) =>
        new ReaderLoop(
          () => this.readerOptions(topics),
          (options) => thread.reader(options),
        ),
    );
    health.register('log', async () => {
      for (const reader of this.readers) {
        const { ok, detail } = reader.health();
        if (!ok) throw new Error(detail);
      }
    });
  }

  /** Before the reader has caught up, a snapshot would be wrong and a filter would not know the watches. */
  get isCaughtUp(): boolean {
    return this.readers.every((reader) => reader.health().ok);
  }

  /** Ends the start when the brokers reject the settings. */
  onModuleInit(): Promise<void> {
    return checkKafkaAccess({ ...kafkaSettings(this.config), clientId: 'streams', logger: this.busLogger });
  }

  onApplicationBootstrap(): void {
    this.expiry = setInterval(() => this.logs.expire(Date.now()), EXPIRY_MS).unref();
    for (const reader of this.readers) reader.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.expiry);
    await Promise.all(this.readers.map((reader) => reader.stop()));
  }

  private readerOptions(topics: readonly EventTopic[]): LogReaderOptions {
    const nowMs = Date.now();
    const sinceMs = nowMs - this.config.RESUME_WINDOW_MS;
    const from: LogReaderOptions['topics'] = {
      'account.v1': 'beginning',
      'key.v1': 'beginning',
      'session.v1': { sinceMs: nowMs - SESSIONS_MS },
      'wallet.v1': 'beginning',
      'position.v1': 'beginning',
      'alert.v1': { sinceMs },
      'alert-change.v1': { sinceMs },
      'alert-group.v1': { sinceMs },
      'whale.v1': { sinceMs },
    };
    return {
      ...kafkaSettings(this.config),
      clientId: 'streams',
      logger: this.busLogger,
      topics: Object.fromEntries(topics.map((topic) => [topic, from[topic]])),
      onBegin: (topic, partition, offset) => this.beginAt(topic, partition, Number(offset)),
      onEvents: (topic, partition, events, highWatermark) => {
        const next = Number(events.at(-1)?.offset ?? -1) + 1;
        readLag.set({ topic, partition }, Number(highWatermark) - next);
        if (topic === 'account.v1')
          for (const { key, value } of events) this.endedAccess.applyAccount(key, value);
        if (topic === 'key.v1') for (const { key, value } of events) this.endedAccess.applyKey(key, value);
        if (topic === 'session.v1')
          for (const { value } of events) if (value) this.endedAccess.applySession(value, Date.now());
        if (topic === 'wallet.v1') for (const { key, value } of events) this.watches.apply(key, value);
        if (topic === 'position.v1') for (const event of events) this.position(event);
        if (topic === 'alert.v1') for (const event of events) this.alert(event);
        if (topic === 'alert-change.v1') for (const event of events) this.alert(event);
        if (topic === 'alert-group.v1') for (const event of events) this.group(event);
        if (topic === 'whale.v1') for (const event of events) this.whale(event);
        this.logs.expire(Date.now());
      },
    };
  }

  private beginAt(topic: EventTopic, partition: number, offset: number): void {
    if (!isStreamTopic(topic)) return;
    const target = streamPartitionOf(topic, partition);
    this.logs.of(target.stream).begin(target.number, offset);
  }

  private position(event: ReceivedEvent<PositionV1>): void {
    const data = event.value && this.known.apply(event.value);
    if (data) this.append('positions', positionEvent(event, data));
    else this.logs.of('positions').advance(event.partition, Number(event.offset) + 1);
  }

  private alert(event: ReceivedEvent<AlertV1 | AlertChangeV1>): void {
    if (event.value) this.append('alerts', alertEvent(event, event.value));
  }

  private group(event: ReceivedEvent<AlertGroupV1>): void {
    if (event.value) this.append('alerts', groupEvent(event, event.value));
  }

  private whale(event: ReceivedEvent<WhaleV1>): void {
    if (event.value) this.append('whales', whaleEvent(event, event.value));
  }

  private append(stream: StreamName, event: StreamEvent): void {
    const log = this.logs.of(stream);
    const cursorBefore = log.cursor;
    if (log.append(event)) this.fanOut.deliver(stream, event, log.cursor, cursorBefore);
  }
}
