import { REQUEST_ID_HEADER, TRACEPARENT_HEADER, type EventDefinition } from '@plimsoll/contracts';
import type { KafkaMessage } from 'kafkajs';
import { headerText } from '../kafka/headers';
import type { ReceivedEvent } from './event-batch';

/** A Kafka message and its parsed event, or the reason why it is not an event. */
export interface ParsedMessage<T> {
  message: KafkaMessage;
  event: ReceivedEvent<T> | undefined;
  /** Empty for an event. */
  reason: string;
}

/** Parses a message of a topic: CloudEvents headers, JSON, schema. */
export function parseEvent<T>(
  definition: EventDefinition<T>,
  partition: number,
  message: KafkaMessage,
): ParsedMessage<T> {
  const { headers, key, offset, timestamp } = message;
  const refused = (reason: string): ParsedMessage<T> => ({ message, event: undefined, reason });
  const id = headerText(headers, 'ce_id');
  if (!id) return refused('no ce_id header');
  const type = headerText(headers, 'ce_type');
  if (type !== definition.topic) return refused(`ce_type is ${type ?? 'missing'}, not ${definition.topic}`);
  if (!key) return refused('no key');
  let value: unknown;
  try {
    value = message.value === null ? null : JSON.parse(message.value.toString());
  } catch (error) {
    return refused(`invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (message.value === null) {
    if (!definition.compacted) return refused('a tombstone in a log');
  } else if (!definition.check(value)) {
    return refused(`invalid schema: ${definition.explain(value)}`);
  }
  const event: ReceivedEvent<T> = {
    id,
    key: key.toString(),
    value: value as T | null,
    time: Number(timestamp),
    offset,
    partition,
    requestId: headerText(headers, REQUEST_ID_HEADER),
    traceparent: headerText(headers, TRACEPARENT_HEADER),
  };
  return { message, event, reason: '' };
}
