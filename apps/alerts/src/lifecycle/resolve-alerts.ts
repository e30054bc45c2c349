import type { SqlExecutor } from '@plimsoll/event-bus';

/** Alerts of one type that resolve. */
export interface Resolving {
  /** SQL: the columns to return. */
  columns: string;
  /** SQL: selects among the active alerts. $1 is the time in milliseconds. The values follow it. */
  condition: string;
  values: readonly unknown[];
}

/**
 * Resolves the selected alerts and returns the columns of each.
 * @param nowMs milliseconds since 1970
 */
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

/** Resolves expired alerts of one type, at most `limit`. Skips alerts that another instance is resolving. */
export function resolveExpiredAlerts<T extends object>(
  tx: SqlExecutor,
  nowMs: number,
  /** SQL: the columns to return, and the condition that selects the type. */
  { columns, kind }: { columns: string; kind: string },
  limit: number,
): Promise<T[]> {
  const condition = `id IN (SELECT id FROM alerts WHERE ${kind} AND resolved_at IS NULL
    AND expires_at <= to_timestamp($1::float8 / 1000) ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
  return resolveAlerts(tx, nowMs, { columns, condition, values: [limit] });
}
