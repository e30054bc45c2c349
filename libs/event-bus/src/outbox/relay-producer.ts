import { REQUEST_ID_HEADER, TRACEPARENT_HEADER, type EventTopic } from '@plimsoll/contracts';
import { Partitioners, type Message, type Producer } from 'kafkajs';
import { encodeHeaders } from '../kafka/headers';
import { KAFKA_RETRY, kafkaClient, type KafkaClient } from '../kafka/client';
import { ensureTopics } from '../kafka/topics';
import type { KafkaOptions } from '../options';
import type { OutboxRow } from './outbox-rows';

/** Rows of one partition in a request form one record batch. The broker's default limit for it is 1 MiB. */
const REQUEST_BYTES = 950_000;
/** Most bytes that headers and framing add to a value. */
const ROW_OVERHEAD_BYTES = 1_000;

/**
 * Publishes rows with an idempotent producer, one request in flight, so that a retry neither repeats nor
 * reorders. After a failure with an unknown result the producer is replaced. The rows are sent again with the
 * same event ids and may then appear twice in the topic.
 */
export class RelayProducer {
  #connected: { client: KafkaClient; producer: Producer } | undefined;
  readonly #ensured = new Set<EventTopic>();

  constructor(private readonly options: KafkaOptions) {}

  /** Resolves when the broker has acknowledged every row. The topic has them in the given order. */
  async publish(rows: readonly OutboxRow[]): Promise<void> {
    try {
      const producer = await this.#connect();
      await this.#ensure(rows);
      for (const part of split(rows)) {
        await producer.sendBatch({ acks: -1, topicMessages: this.#byTopic(part) });
      }
    } catch (error) {
      this.cut();
      throw error;
    }
  }

  /** Aborts the current request, so that a replaced leader cannot send after its successor. */
  cut(): void {
    this.#connected?.client.cut();
    this.#connected = undefined;
  }

  async close(): Promise<void> {
    await this.#connected?.producer.disconnect();
    this.cut();
  }

  async #connect(): Promise<Producer> {
    if (this.#connected) return this.#connected.producer;
    const client = kafkaClient(this.options, 'relay');
    const producer = client.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: KAFKA_RETRY,
    });
    this.#connected = { client, producer };
    await producer.connect();
    return producer;
  }

  async #ensure(rows: readonly OutboxRow[]): Promise<void> {
    const unknown = [...new Set(rows.map((row) => row.topic))].filter((topic) => !this.#ensured.has(topic));
    if (unknown.length === 0) return;
    const admin = kafkaClient(this.options, 'admin').kafka.admin();
    try {
      await admin.connect();
      const { topicPrefix: prefix = '', partitions } = this.options;
      await ensureTopics(admin, unknown, { prefix, partitions });
    } finally {
      await admin.disconnect();
    }
    for (const topic of unknown) this.#ensured.add(topic);
  }

  #byTopic(rows: readonly OutboxRow[]): { topic: string; messages: Message[] }[] {
    const messages = new Map<string, Message[]>();
    for (const row of rows) {
      const topic = (this.options.topicPrefix ?? '') + row.topic;
      const list = messages.get(topic) ?? [];
      messages.set(topic, list);
      list.push(this.#message(row));
    }
    return [...messages].map(([topic, list]) => ({ topic, messages: list }));
  }

  #message({ eventId, topic, key, value, headers, time }: OutboxRow): Message {
    const head = {
      id: eventId,
      topic,
      source: this.options.clientId,
      time,
      key,
      requestId: headers[REQUEST_ID_HEADER],
      traceparent: headers[TRACEPARENT_HEADER],
    };
    return { key, value, headers: encodeHeaders(head), timestamp: String(Math.trunc(time)) };
  }
}

/** Returns consecutive parts that each fit into one request. */
function split(rows: readonly OutboxRow[]): OutboxRow[][] {
  const parts: OutboxRow[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    const rowBytes = Buffer.byteLength(row.value ?? '') + ROW_OVERHEAD_BYTES;
    bytes += rowBytes;
    if (bytes > REQUEST_BYTES) {
      parts.push([]);
      bytes = rowBytes;
    }
    parts.at(-1)?.push(row);
  }
  return parts;
}
