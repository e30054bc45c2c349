/** A statement that a connection parses and plans once. The same name always has the same text. */
export interface NamedStatement {
  name: string;
  text: string;
}

/** The one method of a pg Pool, Client or PoolClient that the bus and its handlers use. */
export interface SqlExecutor {
  query<R extends object>(
    statement: string | NamedStatement,
    values?: unknown[],
  ): Promise<{ rows: R[]; rowCount: number | null }>;
}

/**
 * Returns texts as one parameter, for `string_to_array($n, E'\
 * ', '')`. An array of pg would escape each text, which costs more than the rest of a statement. Undefined
 * and '' become NULL. Throws for a line break, which would shift all later rows. Ids, names, numbers and JSON
 * contain none.
 */
export function lines(texts: readonly (string | number | boolean | null | undefined)[]): string {
  for (const text of texts) {
    if (typeof text === 'string' && text.includes('\n'))
      throw new Error('a text of a statement contains a line break');
  }
  return texts.join('\n');
}

/**
 * Returns SQL that reports the ids of a statement, given as rows `name (id)`: null when they are all `count`
 * ids, which needs no row for each, otherwise the ids.
 */
export function idsUnlessAll(name: string, count: string): string {
  return `SELECT CASE WHEN count(*) < ${count} THEN coalesce(array_agg(id), '{}') END AS ids FROM ${name}`;
}

/** Returns the items that `idsUnlessAll` reports, each once. The first of two items with one id wins. */
export function itemsOf<T>(
  [row]: readonly { ids: string[] | null }[],
  items: readonly T[],
  idOf: (item: T) => string,
): T[] {
  if (!row?.ids) return [...items];
  const ids = new Set(row.ids);
  return items.filter((item) => ids.delete(idOf(item)));
}

/**
 * Session settings for a connection that holds an advisory lock. The server notices a dead peer after about
 * 11 s and releases the lock.
 */
export const DETECT_DEAD_PEER = `
  set_config('tcp_keepalives_idle', '5', false),
  set_config('tcp_keepalives_interval', '2', false),
  set_config('tcp_keepalives_count', '3', false)`;

/**
 * Table `outbox` of a service that publishes events, in the service's own schema. A row exists from the commit
 * of its transaction until the broker has acknowledged it.
 *
 * `xid` precedes `id` on purpose. Defaults are computed in column order, so a transaction has its number
 * before it takes an id, and the relay's guard against gaps is exact.
 */
export const OUTBOX_SQL = `
CREATE TABLE IF NOT EXISTS outbox (
  xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
  id         bigserial   PRIMARY KEY,
  event_id   text        NOT NULL,
  topic      text        NOT NULL,
  key        text        NOT NULL,
  value      text,
  headers    jsonb       NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
`;

/** Table `inbox` of a service with consumers: the ids of its handled events. */
export const INBOX_SQL = `
CREATE TABLE IF NOT EXISTS inbox (
  consumer text        NOT NULL,
  event_id text        NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX IF NOT EXISTS inbox_seen_at ON inbox (seen_at);
`;

/** For DatabaseModule of a service that publishes events. Never change it; add another. */
export const OUTBOX_MIGRATION = { name: '20261124090000_library_outbox', sql: OUTBOX_SQL };

/** For DatabaseModule of a service that consumes events. Never change it; add another. */
export const INBOX_MIGRATION = { name: '20261124090100_library_inbox', sql: INBOX_SQL };
