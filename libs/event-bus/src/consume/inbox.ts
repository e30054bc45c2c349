import type { Pool } from 'pg';
import { type SqlExecutor, idsUnlessAll, itemsOf, lines } from '../sql';
import type { ReceivedEvent } from './event-batch';

const TAKE = {
  name: 'take-fresh',
  text: `WITH taken AS (
           INSERT INTO inbox (consumer, event_id) SELECT $1, unnest(string_to_array($2, E'\\n'))
           ON CONFLICT DO NOTHING RETURNING event_id AS id)
         ${idsUnlessAll('taken', '$3::int')}`,
};

/** Rows that one statement deletes, so that the cleaner never holds locks for long. */
const DELETE_ROWS = 5_000;

/**
 * Records the events as handled and returns those that are new, each once, in order. It uses the transaction
 * of the effects.
 */
export async function insertNew<T>(
  tx: SqlExecutor,
  consumer: string,
  events: readonly ReceivedEvent<T>[],
): Promise<ReceivedEvent<T>[]> {
  const ids = lines(events.map((event) => event.id));
  const { rows } = await tx.query<{ ids: string[] | null }>(TAKE, [consumer, ids, events.length]);
  return itemsOf(rows, events, ({ id }) => id);
}

/** Deletes events that are older than `retentionMs`. Returns their number. */
export async function cleanInbox(pool: Pool, retentionMs: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM inbox WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM inbox WHERE seen_at < now() - $1::float8 * interval '1 millisecond' LIMIT ${DELETE_ROWS}))`,
      [retentionMs],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < DELETE_ROWS) return deleted;
  }
}
