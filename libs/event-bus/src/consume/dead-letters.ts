import type { EventTopic } from '@plimsoll/contracts';
import { Partitioners, type KafkaMessage, type Producer } from 'kafkajs';
import { KAFKA_RETRY, kafkaClient } from '../kafka/client';
import { deadLetterTopic } from '../kafka/topics';
import type { EventBusOptions } from '../options';

const MAX_ERROR_CHARACTERS = 1_000;

/** Headers of a dead letter, in addition to those of the message. */
export const DEAD_LETTER_HEADERS = {
  topic: 'dlq-topic',
  partition: 'dlq-partition',
  offset: 'dlq-offset',
  error: 'dlq-error',
  /** Number of attempts on its own. 0 when the message could not be parsed. */
  attempts: 'dlq-attempts',
  group: 'dlq-group',
} as const;

/** A message that no handler can process, with the reason. */
export interface DeadLetter {
  message: KafkaMessage;
  partition: number;
  error: string;
  attempts: number;
}

/** Publishes messages unchanged to the dead-letter topic, with the reason in their headers. */
export class DeadLetters {
  #connecting: Promise<Producer> | undefined;

  constructor(private readonly options: EventBusOptions) {}

  /** Resolves when the broker has acknowledged them. Rejects with a Kafka error otherwise. */
  async store(topic: EventTopic, letters: readonly DeadLetter[]): Promise<void> {
    const { topicPrefix = '', groupId, logger, metrics } = this.options;
    const producer = await (this.#connecting ??= this.#connect());
    await producer.send({
      topic: topicPrefix + deadLetterTopic(topic),
      acks: -1,
      messages: letters.map(({ message, partition, error, attempts }) => ({
        key: message.key,
        value: message.value,
        headers: {
          ...message.headers,
          [DEAD_LETTER_HEADERS.topic]: topic,
          [DEAD_LETTER_HEADERS.partition]: String(partition),
          [DEAD_LETTER_HEADERS.offset]: message.offset,
          [DEAD_LETTER_HEADERS.error]: error.slice(0, MAX_ERROR_CHARACTERS),
          [DEAD_LETTER_HEADERS.attempts]: String(attempts),
          [DEAD_LETTER_HEADERS.group]: groupId,
        },
      })),
    });
    for (const { message, partition, error } of letters) {
      logger.error(
        { topic, partition, offset: message.offset, error },
        'an event was sent to the dead-letter topic',
      );
    }
    metrics?.parked?.(topic, letters.length);
  }

  async close(): Promise<void> {
    const producer = await this.#connecting?.catch(() => undefined);
    await producer?.disconnect();
  }

  async #connect(): Promise<Producer> {
    const producer = kafkaClient(this.options, 'dead-letters').kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: KAFKA_RETRY,
    });
    try {
      await producer.connect();
      return producer;
    } catch (error) {
      this.#connecting = undefined;
      throw error;
    }
  }
}
