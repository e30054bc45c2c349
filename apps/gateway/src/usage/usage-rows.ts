import type { Endpoint } from '@plimsoll/access';
import type { RequestCounts } from './request-tally';
import { DAY_MS } from './usage-report';

/** Replaces the endpoint of requests without one. */
const OTHER_ENDPOINT = 'other';

/** Requests of an account on a UTC day at an endpoint. */
export interface UsageRow {
  accountId: string;
  /** 2026-11-21. */
  date: string;
  endpoint: string;
  calls: number;
}

const endpointName = (endpoint: Endpoint | null): string =>
  endpoint ? `${endpoint.method} ${endpoint.path}` : OTHER_ENDPOINT;

/** Sums the keys of an account, always in the same order, so that no two writers deadlock. */
export function usageRows(
  counted: readonly RequestCounts[],
  unwritten: readonly UsageRow[] = [],
): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  const add = (row: UsageRow): void => {
    const key = `${row.accountId} ${row.date} ${row.endpoint}`;
    const known = rows.get(key);
    if (known) known.calls += row.calls;
    else rows.set(key, { ...row });
  };
  unwritten.forEach(add);
  for (const { accountId, day, calls } of counted) {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    for (const [endpoint, count] of calls) {
      add({ accountId, date, endpoint: endpointName(endpoint), calls: count });
    }
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** When each key was last used, by the id of the key. */
export function lastUses(counted: readonly RequestCounts[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { keyId, lastMs } of counted) uses.set(keyId, Math.max(lastMs, uses.get(keyId) ?? 0));
  return uses;
}
