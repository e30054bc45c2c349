import type { SqlExecutor } from '@plimsoll/event-bus';

/** Alerts of a kind that resolve. */
export interface Resolving {
  /** SQL: what is given of each. */
  columns: string;
  /** SQL: which of the active ones; $1 is the time in milliseconds, the values come after it. */
  condition: string;
  values: readonly unknown[];
}

/** Resolves them, and gives what was resolved. @param nowMs milliseconds since 1970 */
export async function resolveAlerts<T extends object>(
  tx: SqlExecutor,
  nowMs: number,
  { columns, condition, values }: Resolving,
): Promise<T[]> {
  const { rows } = await tx.query<T & Record<string, unknown>>(
    `UPDATE alerts SET resolved_at = to_timestamp($1::float8 / 1000)
     WHERE resolved_at IS NULL AND ${condition} RETURNING ${columns}`,
    [nowMs, ...values],
  );
  return rows;
}

/** Resolves those of a kind that stood long enough, at most so many; those that another instance resolves are left to it. */
export function resolveExpiredAlerts<T extends object>(
  tx: SqlExecutor,
  nowMs: number,
  /** SQL, both: what is given of each, and which alerts are of the kind. */
  { columns, kind }: { columns: string; kind: string },
  limit: number,
): Promise<T[]> {
  const condition = `id IN (SELECT id FROM alerts WHERE ${kind} AND resolved_at IS NULL
    AND expires_at <= to_timestamp($1::float8 / 1000) ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
  return resolveAlerts(tx, nowMs, { columns, condition, values: [limit] });
}
