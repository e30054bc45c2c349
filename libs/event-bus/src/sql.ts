/** A statement that a connection parses and plans once; the same name always has the same text. */
export interface NamedStatement {
  name: string;
  text: string;
}

/** The one method of a pg Pool, Client or PoolClient that the bus and its handlers need. */
export interface SqlExecutor {
  query<R extends object>(
    statement: string | NamedStatement,
    values?: unknown[],
  ): Promise<{ rows: R[]; rowCount: number | null }>;
}

/**
 * Texts as one parameter, for `string_to_array($n, E'\\n', '')`: in an array of pg each would be escaped, which costs
 * more than all else of a statement. Undefined and '' are NULL. Throws when one holds a line end, as ids, names, numbers
 * and JSON do not: all behind it would be another row's.
 */
export function lines(texts: readonly (string | number | boolean | null | undefined)[]): string {
  for (const text of texts) {
    if (typeof text === 'string' && text.includes('\n'))
      throw new Error('a text of a statement holds a line end');
  }
  return texts.join('\n');
}

/**
 * SQL of a query on the ids that a statement returned, as rows `name (id)`, of `count` that it was given: the ids, or
 * null where they are all, which needs no row for each.
 */
export function idsUnlessAll(name: string, count: string): string {
  return `SELECT CASE WHEN count(*) < ${count} THEN coalesce(array_agg(id), '{}') END AS ids FROM ${name}`;
}

/** The items that `idsUnlessAll` tells of, each once: where two have one id, the first of them. */
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
 * Settings of a session that holds an advisory lock, to be selected: the server notices after about 11 s that the peer
 * is dead, and the lock is given up.
 */
export const NOTICE_DEAD_PEER = `
  set_config('tcp_keepalives_idle', '5', false),
  set_config('tcp_keepalives_interval', '2', false),
  set_config('tcp_keepalives_count', '3', false)`;

/**
 * Table `outbox`, for a service's first migration (in the service's own schema). A row lives from the commit of its
 * transaction until the broker has acknowledged it.
 *
 * `xid` stands before `id` on purpose: defaults are computed in column order, so a transaction has its number before it
 * takes an id, and the relay's guard against gaps is exact.
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

/** Table `inbox`, for the first migration of a service with consumers: the ids of the events it has handled. */
export const INBOX_SQL = `
CREATE TABLE IF NOT EXISTS inbox (
  consumer text        NOT NULL,
  event_id text        NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX IF NOT EXISTS inbox_seen_at ON inbox (seen_at);
`;
