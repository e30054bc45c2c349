import { randomUUID } from 'node:crypto';
import { EVENTS, type EventDefinition, type EventTopic, type EventValue } from '@plimsoll/contracts';
import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import type { ReceivedEvent } from '../consume/event-batch';
import { parseEvent } from '../consume/parse-event';
import { FETCH_WAIT_MS, KAFKA_RETRY, kafkaClient } from '../kafka/client';
import { ensureTopics } from '../kafka/topics';
import { whileSettling } from '../kafka/while-settling';
import type { BusHealth, KafkaOptions } from '../options';
import { CatchUp } from './catch-up';

/**
 * The oldest event, the next one to arrive, the first one created at or after a time (milliseconds since
 * 1970), or an offset for each partition (others: the oldest).
 */
export type StartFrom =
  'beginning' | 'latest' | { readonly sinceMs: number } | { readonly [partition: number]: string };

/** Arguments of `onEvents`. A test of `topic` narrows `events`. */
export type LogEvents = {
  [T in EventTopic]: [
    topic: T,
    partition: number,
    events: ReceivedEvent<EventValue<T>>[],
    highWatermark: string,
  ];
}[EventTopic];

export interface LogReaderOptions extends KafkaOptions {
  topics: Partial<Record<EventTopic, StartFrom>>;
  /** Called for each partition before its events, with the first offset. */
  onBegin?(topic: EventTopic, partition: number, offset: string): void;
  /**
   * Called with the events of one partition in order, one call at a time. The next fetch waits for it.
   * `highWatermark` is the offset that the partition's next event will have. When it throws, the same events
   * arrive again.
   */
  onEvents(...args: LogEvents): void | Promise<void>;
  /** Called each time that `health` may have changed. */
  onHealth?(): void;
}

/**
 * Reads whole topics on every instance, without a database. It never commits, so every start reads from the
 * given offset. Messages that are not events are logged and skipped. Consumers with a database send them to
 * the dead-letter topic.
 */
export class LogReader {
  /** Resolves when everything that was in the topics at the start has been read. */
  readonly caughtUp: Promise<void>;
  readonly #groupId: string;
  readonly #catchUp = new CatchUp();
  /**
   * Next offset by partition of the prefixed topic. Nothing is committed, so every join begins with these.
   */
  readonly #next = new Map<string, { topic: string; partition: number; offset: string }>();
  #consumer: Consumer | undefined;
  #joined = false;

  constructor(private readonly options: LogReaderOptions) {
    this.caughtUp = this.#catchUp.done;
    void this.caughtUp.then(() => this.options.onHealth?.());
    this.#groupId = `${options.topicPrefix ?? ''}${options.clientId}-reader-${randomUUID()}`;
  }

  /**
   * Resolves when the reader runs. Rejects with a Kafka error when the broker stays unavailable for about ten
   * seconds.
   */
  async start(): Promise<void> {
    const { kafka } = kafkaClient(this.options, 'reader');
    const consumer = kafka.consumer({
      groupId: this.#groupId,
      allowAutoTopicCreation: false,
      minBytes: 1,
      maxWaitTimeInMs: this.options.fetchWaitMs ?? FETCH_WAIT_MS,
      retry: { ...KAFKA_RETRY, restartOnFailure: () => Promise.resolve(true) },
    });
    this.#consumer = consumer;
    consumer.on(consumer.events.GROUP_JOIN, () => {
      this.#setJoined(true);
      for (const position of this.#next.values()) consumer.seek(position);
    });
    consumer.on(consumer.events.CRASH, () => this.#setJoined(false));
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      this.#catchUp.read(payload.topic, payload.partition, BigInt(payload.lastOffset) + 1n);
    });
    await this.#withAdmin((admin) => this.#prepare(admin, consumer));
  }

  /** Reads the partition from this offset on. Earlier fetched events are skipped. */
  seek(topic: EventTopic, partition: number, offset: string): void {
    const position = { topic: this.#prefix + topic, partition, offset };
    this.#resume(position);
    if (this.#joined) this.#consumer?.seek(position);
  }

  /** Leaves the group and deletes it. */
  async stop(): Promise<void> {
    await this.#consumer?.disconnect();
    this.#setJoined(false);
    await this.#withAdmin((admin) => admin.deleteGroups([this.#groupId])).catch((error: unknown) =>
      this.options.logger.warn(
        { err: error },
        'the reader cannot delete its group; the broker deletes it later',
      ),
    );
  }

  health(): BusHealth {
    if (!this.#joined) return { ok: false, detail: 'not reading the log' };
    return this.#catchUp.isDone
      ? { ok: true, detail: 'reading' }
      : { ok: false, detail: 'still catching up' };
  }

  #setJoined(joined: boolean): void {
    if (joined === this.#joined) return;
    this.#joined = joined;
    this.options.onHealth?.();
  }

  get #prefix(): string {
    return this.options.topicPrefix ?? '';
  }

  async #withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = kafkaClient(this.options, 'reader-admin').kafka.admin();
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  async #prepare(admin: Admin, consumer: Consumer): Promise<void> {
    const starts = Object.entries(this.options.topics) as [EventTopic, StartFrom][];
    await ensureTopics(
      admin,
      starts.map(([topic]) => topic),
      { prefix: this.#prefix, partitions: this.options.partitions },
    );
    await consumer.connect();
    const { random = Math.random } = this.options;
    for (const [name, from] of starts) {
      const topic = this.#prefix + name;
      const offsets = await whileSettling(async () => {
        await consumer.subscribe({ topic, fromBeginning: true });
        return admin.fetchTopicOffsets(topic);
      }, random);
      const starts = await offsetsByPartition(admin, topic, from);
      for (const { partition, low, high } of offsets) {
        const offset = startOffset(starts, partition, low, high);
        this.options.onBegin?.(name, partition, offset);
        this.#resume({ topic, partition, offset });
        this.#catchUp.expect(topic, partition, BigInt(offset), BigInt(high));
      }
    }
    this.#catchUp.allExpected();
    await consumer.run({ autoCommit: false, eachBatch: (batch) => this.#eachBatch(batch) });
  }

  #resume(position: { topic: string; partition: number; offset: string }): void {
    this.#next.set(`${position.topic}|${position.partition}`, position);
  }

  async #eachBatch({ batch, isStale }: EachBatchPayload): Promise<void> {
    if (isStale()) return;
    const topic = batch.topic.slice(this.#prefix.length) as EventTopic;
    const definition = EVENTS[topic] as EventDefinition<unknown>;
    const events: ReceivedEvent<unknown>[] = [];
    for (const message of batch.messages) {
      const { event, reason } = parseEvent(definition, batch.partition, message);
      if (event) events.push(event);
      else this.options.logger.warn({ topic, offset: message.offset, reason }, 'a message is not an event');
    }
    if (events.length > 0) {
      await this.options.onEvents(...([topic, batch.partition, events, batch.highWatermark] as LogEvents));
    }
    if (isStale()) return;
    this.#resume({
      topic: batch.topic,
      partition: batch.partition,
      offset: String(BigInt(batch.lastOffset()) + 1n),
    });
  }
}

type StartOffsets = Exclude<StartFrom, { readonly sinceMs: number }>;

async function offsetsByPartition(admin: Admin, topic: string, from: StartFrom): Promise<StartOffsets> {
  if (typeof from === 'string' || !('sinceMs' in from)) return from;
  const offsets = await admin.fetchTopicOffsetsByTimestamp(topic, from.sinceMs);
  return Object.fromEntries(offsets.map(({ partition, offset }) => [partition, offset]));
}

/** The broker would reject offsets outside of the partition. */
function startOffset(from: StartOffsets, partition: number, low: string, high: string): string {
  if (from === 'latest') return high;
  const wanted = from === 'beginning' ? undefined : from[partition];
  if (wanted === undefined || BigInt(wanted) < BigInt(low)) return low;
  return BigInt(wanted) > BigInt(high) ? high : wanted;
}
