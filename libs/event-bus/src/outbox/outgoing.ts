import {
  EVENTS,
  newId,
  type Correlation,
  type EventDefinition,
  type EventTopic,
  type EventValue,
} from '@plimsoll/contracts';

/** Below the broker's default limit of 1 MiB for a batch, so that one event can never block the relay. */
const MAX_VALUE_BYTES = 900_000;

/** An event for the outbox. `outgoing` and `tombstone` create and check it. */
export interface OutgoingEvent {
  topic: EventTopic;
  key: string;
  /** JSON text. Null is a tombstone, which deletes the key in a compacted topic. */
  value: string | null;
  /** `evt_…`. Consumers recognise a repeated event by it. */
  eventId: string;
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** The request that caused the event, and the event's id if it must be known in advance. */
export interface OutgoingContext extends Correlation {
  eventId?: string | undefined;
}

/**
 * Creates an event under the key that libs/contracts defines. Throws when the value does not match its schema
 * or is larger than 900,000 bytes, so that the publisher fails and not every consumer.
 */
export function outgoing<T extends EventTopic>(
  topic: T,
  value: EventValue<T>,
  context: OutgoingContext = {},
): OutgoingEvent {
  const definition = EVENTS[topic] as EventDefinition<EventValue<T>>;
  if (!definition.check(value)) {
    throw new Error(
      `The event does not fit ${topic}: ${definition.explain(value)}. Correct the value that is published.`,
    );
  }
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_VALUE_BYTES) {
    throw new Error(
      `The event for ${topic} has ${bytes} bytes, over ${MAX_VALUE_BYTES}. Publish less in one event.`,
    );
  }
  return message(topic, definition.keyOf(value), text, context);
}

/**
 * Deletes a key from a compacted topic. Consumers receive it with value null. Throws for a topic that is a
 * log.
 */
export function tombstone(topic: EventTopic, key: string, context: OutgoingContext = {}): OutgoingEvent {
  if (!EVENTS[topic].compacted)
    throw new Error(`${topic} is a log: nothing can be deleted from it. Publish an event that says so.`);
  return message(topic, key, null, context);
}

function message(
  topic: EventTopic,
  key: string,
  value: string | null,
  context: OutgoingContext,
): OutgoingEvent {
  const { eventId = newId('evt'), requestId, traceparent } = context;
  return { topic, key, value, eventId, requestId, traceparent };
}
