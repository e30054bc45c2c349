import type { EventTopic } from '@plimsoll/contracts';
import type { SqlExecutor } from '../sql';

/** A row of the outbox as the relay reads it. */
export interface OutboxRow {
  /** Decimal digits. */
  id: string;
  topic: EventTopic;
  key: string;
  value: string | null;
  eventId: string;
  headers: Record<string, string>;
  /** When it was appended, milliseconds since 1970. */
  time: number;
}

/** Most rows of one read, and most bytes of them. These bound the relay's memory. */
const READ_ROWS = 500;
const READ_BYTES = 2_000_000;

/**
 * The oldest rows in id order. A row is settled when no transaction that could still commit a lower id is
 * open: its own transaction is older than every open one of the cluster, or its id is not above $1. The read
 * stops before the first row that is not settled.
 */
const READ = `
SELECT id, topic, key, value, event_id AS "eventId", headers,
       (extract(epoch FROM created_at) * 1000)::float8 AS time, settled
FROM (
  SELECT *, xid < pg_snapshot_xmin(pg_current_snapshot()) OR id <= $1 AS settled,
         sum(coalesce(octet_length(value), 0)) OVER (ORDER BY id) - coalesce(octet_length(value), 0) AS bytes_before
  FROM (SELECT * FROM outbox ORDER BY id LIMIT ${READ_ROWS}) AS oldest
) AS weighed
WHERE bytes_before < ${READ_BYTES}
ORDER BY id`;

const LAST_ID = 'SELECT last_value AS "lastId" FROM outbox_id_seq';

/** A transaction that appends holds this lock until it ends. */
const APPENDING = `
SELECT EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'relation' AND relation = 'outbox'::regclass AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
) AS appending`;

/** Rows that can be published now, and whether others wait behind an open transaction. */
export interface OutboxRead {
  rows: OutboxRow[];
  heldBack: boolean;
}

/**
 * The number of a transaction is not sufficient when several services share a cluster, because any of their
 * transactions delays ours. When no row is settled by number, this query finds the transactions that append
 * to this outbox.
 */
export async function readOutbox(db: SqlExecutor): Promise<OutboxRead> {
  const read = await readRows(db, '0');
  if (read.rows.length > 0 || !read.heldBack) return read;
  const settledId = await lastSettledId(db);
  return settledId === null ? read : readRows(db, settledId);
}

async function readRows(db: SqlExecutor, settledId: string): Promise<OutboxRead> {
  const { rows } = await db.query<OutboxRow & { settled: boolean }>({ name: 'read-outbox', text: READ }, [
    settledId,
  ]);
  const open = rows.findIndex((row) => !row.settled);
  return open === -1 ? { rows, heldBack: false } : { rows: rows.slice(0, open), heldBack: true };
}

/**
 * Returns the last used id when the transactions of all ids up to it have ended, and null when one may be
 * open. The order of the two statements matters: an id that was taken before the locks are read either has
 * its lock there, or is settled.
 */
async function lastSettledId(db: SqlExecutor): Promise<string | null> {
  const last = await db.query<{ lastId: string }>(LAST_ID);
  const open = await db.query<{ appending: boolean }>(APPENDING);
  return open.rows[0]?.appending === false ? (last.rows[0]?.lastId ?? null) : null;
}

/** Deletes the rows that the broker has acknowledged. */
export async function deleteFromOutbox(db: SqlExecutor, rows: readonly OutboxRow[]): Promise<void> {
  await db.query('DELETE FROM outbox WHERE id = ANY($1::bigint[])', [rows.map((row) => row.id)]);
}

/**
 * Returns the number of waiting rows (up to 100,000) and the age of the oldest in milliseconds, 0 when empty.
 */
export async function measureOutbox(db: SqlExecutor): Promise<{ rows: number; oldestAgeMs: number }> {
  const { rows } = await db.query<{ rows: number; oldestAgeMs: number }>(`
    SELECT (SELECT count(*)::int FROM (SELECT 1 FROM outbox LIMIT 100000) AS counted) AS rows,
           coalesce((SELECT extract(epoch FROM clock_timestamp() - created_at) * 1000
                     FROM outbox ORDER BY id LIMIT 1), 0)::float8 AS "oldestAgeMs"`);
  return rows[0] ?? { rows: 0, oldestAgeMs: 0 };
}
