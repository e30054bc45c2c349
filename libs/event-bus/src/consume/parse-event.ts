import { REQUEST_ID_HEADER, TRACEPARENT_HEADER, type EventDefinition } from '@plimsoll/contracts';
import type { KafkaMessage } from 'kafkajs';
import { headerText } from '../kafka/headers';
import type { ReceivedEvent } from './event-batch';

/** The event, or why the message is none. */
export type ParsedMessage<T> = { event: ReceivedEvent<T> } | { reason: string };

/** Reads a message of a topic: CloudEvents headers, JSON, schema. */
export function parseEvent<T>(
  definition: EventDefinition<T>,
  partition: number,
  message: KafkaMessage,
): ParsedMessage<T> {
  const { headers, key, offset, timestamp } = message;
  const id = headerText(headers, 'ce_id');
  if (!id) return { reason: 'no ce_id header' };
  const type = headerText(headers, 'ce_type');
  if (type !== definition.topic)
    return { reason: `ce_type is ${type ?? 'missing'}, not ${definition.topic}` };
  if (!key) return { reason: 'no key' };
  const parsed = parseValue(definition, message.value);
  if ('reason' in parsed) return parsed;
  return {
    event: {
      id,
      key: key.toString(),
      value: parsed.value,
      time: Number(timestamp),
      offset,
      partition,
      requestId: headerText(headers, REQUEST_ID_HEADER),
      traceparent: headerText(headers, TRACEPARENT_HEADER),
    },
  };
}

function parseValue<T>(
  definition: EventDefinition<T>,
  bytes: Buffer | null,
): { value: T | null } | { reason: string } {
  if (bytes === null) return definition.compacted ? { value: null } : { reason: 'a tombstone in a log' };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    return { reason: `invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!definition.check(value)) return { reason: `invalid schema: ${definition.explain(value)}` };
  return { value };
}
