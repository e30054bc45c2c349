import type { EventTopic } from '@plimsoll/contracts';
import type { KafkaMessage, OffsetsByTopicPartition } from 'kafkajs';
import type { ReadAheadOptions } from '../options';

/** Messages of one partition that wait in memory. A key without messages has one in work. */
interface Backlog {
  topic: EventTopic;
  partition: number;
  byKey: Map<string, KafkaMessage[]>;
  offsets: Set<string>;
}

/** Messages that are handled together. */
export interface WaitingBatch {
  topic: EventTopic;
  partition: number;
  messages: readonly KafkaMessage[];
  backlog: Backlog;
}

/**
 * Keeps the messages of keys with many of them in memory, so that those of other keys behind them in the partition
 * are handled first. The order of each key stays. A message in memory is not committed, so Kafka has it until it is
 * handled.
 */
export class ReadAhead {
  readonly #backlogs = new Map<string, Backlog>();
  #bytes = 0;

  constructor(private readonly options: ReadAheadOptions) {}

  covers(topic: EventTopic): boolean {
    return this.options.topics.includes(topic);
  }

  /** True while no more messages may be added. */
  get isFull(): boolean {
    return this.#bytes >= this.options.maxBytes;
  }

  /** Returns the messages that are handled now, in their order. The others wait. */
  divide(topic: EventTopic, partition: number, messages: readonly KafkaMessage[]): KafkaMessage[] {
    const backlog = this.#backlogOf(topic, partition);
    const keyed = messages
      .filter(({ offset }) => !backlog.offsets.has(offset))
      .map((message) => ({ message, key: message.key?.toString() ?? '' }));
    const counts = new Map<string, number>();
    for (const { key } of keyed) counts.set(key, (counts.get(key) ?? 0) + 1);
    const now: KafkaMessage[] = [];
    for (const { message, key } of keyed) {
      const waiting = backlog.byKey.get(key);
      if (waiting) this.#add(backlog, waiting, message);
      else if ((counts.get(key) ?? 0) > this.options.eventsPerKey) {
        const first: KafkaMessage[] = [];
        backlog.byKey.set(key, first);
        this.#add(backlog, first, message);
      } else now.push(message);
    }
    return now;
  }

  /**
   * Takes the next messages of a partition. Partitions and keys take turns. Undefined when none wait.
   * Call `done` or `putBack` before the next `take`.
   */
  take(most: number, mayTake: (topic: EventTopic) => boolean): WaitingBatch | undefined {
    for (const [id, backlog] of this.#backlogs) {
      if (backlog.offsets.size === 0 || !mayTake(backlog.topic)) continue;
      this.#backlogs.delete(id);
      this.#backlogs.set(id, backlog);
      const messages: KafkaMessage[] = [];
      const served = new Map<string, KafkaMessage[]>();
      for (const [key, waiting] of backlog.byKey) {
        messages.push(...waiting.splice(0, most - messages.length));
        served.set(key, waiting);
        if (messages.length >= most) break;
      }
      for (const [key, waiting] of served) {
        backlog.byKey.delete(key);
        backlog.byKey.set(key, waiting);
      }
      return { topic: backlog.topic, partition: backlog.partition, messages, backlog };
    }
    return undefined;
  }

  /** Whether the messages still belong to this process. */
  isCurrent({ topic, partition, backlog }: WaitingBatch): boolean {
    return this.#backlogs.get(idOf(topic, partition)) === backlog;
  }

  /** The messages are handled. */
  done(batch: WaitingBatch): void {
    if (!this.isCurrent(batch)) return;
    const { messages, backlog } = batch;
    for (const message of messages) {
      backlog.offsets.delete(message.offset);
      this.#bytes -= bytesOf(message);
      const key = message.key?.toString() ?? '';
      if (backlog.byKey.get(key)?.length === 0) backlog.byKey.delete(key);
    }
  }

  /** The messages could not be handled. They are the next ones of their keys again. */
  putBack({ messages, backlog }: WaitingBatch): void {
    for (const message of messages.toReversed())
      backlog.byKey.get(message.key?.toString() ?? '')?.unshift(message);
  }

  /** Lowers offsets to commit to the first message of each partition that waits or is in work. */
  committable({ topics }: OffsetsByTopicPartition, prefix: string): OffsetsByTopicPartition {
    return {
      topics: topics.map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.map(({ partition, offset }) => {
          const backlog = this.#backlogs.get(idOf(topic.slice(prefix.length), partition));
          return { partition, offset: leastOf(backlog?.offsets ?? [], offset) };
        }),
      })),
    };
  }

  /** Forgets all messages. Kafka sends them again from the last committed offsets. */
  clear(): void {
    this.#backlogs.clear();
    this.#bytes = 0;
  }

  #backlogOf(topic: EventTopic, partition: number): Backlog {
    const id = idOf(topic, partition);
    const backlog = this.#backlogs.get(id) ?? { topic, partition, byKey: new Map(), offsets: new Set() };
    this.#backlogs.set(id, backlog);
    return backlog;
  }

  #add(backlog: Backlog, waiting: KafkaMessage[], message: KafkaMessage): void {
    waiting.push(message);
    backlog.offsets.add(message.offset);
    this.#bytes += bytesOf(message);
  }
}

const idOf = (topic: string, partition: number): string => `${topic} ${partition}`;

/** The least of decimal numbers that may exceed 2^53. */
function leastOf(offsets: Iterable<string>, most: string): string {
  let least = most;
  for (const offset of offsets)
    if (offset.length < least.length || (offset.length === least.length && offset < least)) least = offset;
  return least;
}

/** Memory of the objects of a message. */
const OVERHEAD_BYTES = 1_024;
const bytesOf = ({ value }: KafkaMessage): number => OVERHEAD_BYTES + (value?.length ?? 0);
