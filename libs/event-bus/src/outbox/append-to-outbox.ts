import { REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '@plimsoll/contracts';
import type { SqlExecutor } from '../sql';
import type { OutgoingEvent } from './outgoing';

/**
 * Ids follow the order of the list. The notification is sent at the commit. Values and headers are one line
 * each, because an array would escape each of their quotes and JSON has no line breaks of its own. An empty
 * line is a tombstone's value.
 */
const APPEND = `
WITH appended AS (
  INSERT INTO outbox (event_id, topic, key, value, headers)
  SELECT event_id, topic, key, value, headers
  FROM unnest($1::text[], $2::text[], $3::text[], string_to_array($4, E'\\n', ''), string_to_array($5, E'\\n')::jsonb[])
    WITH ORDINALITY AS event (event_id, topic, key, value, headers, position)
  ORDER BY position
)
SELECT pg_notify(${channelSql()}, '')`;

/** SQL of the channel that wakes the relay of the connection's schema. */
export function channelSql(): string {
  return `'outbox_' || current_schema()`;
}

/**
 * Publishes events with the caller's transaction. They are sent after its commit, in the order of the list,
 * and never after a rollback. It runs one statement for the whole list, and none for an empty one.
 */
export async function appendToOutbox(tx: SqlExecutor, events: readonly OutgoingEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({ name: 'append-to-outbox', text: APPEND }, [
    events.map((event) => event.eventId),
    events.map((event) => event.topic),
    events.map((event) => event.key),
    events.map((event) => event.value ?? '').join('\n'),
    events
      .map(({ requestId, traceparent }) =>
        JSON.stringify({ [REQUEST_ID_HEADER]: requestId, [TRACEPARENT_HEADER]: traceparent }),
      )
      .join('\n'),
  ]);
}
