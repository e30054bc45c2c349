import type { Endpoint } from '@plimsoll/access';
import type { RequestCounts } from './request-tally';

/** Replaces the endpoint of requests without one. */
const OTHER_ENDPOINT = 'other';
/** The key id of all sessions of an account. */
export const SESSIONS = 'session';

/** Requests of a key in a minute at an endpoint. */
export interface UsageRow {
  accountId: string;
  /** The beginning of the minute. Milliseconds since 1970. */
  minuteMs: number;
  keyId: string;
  endpoint: string;
  calls: number;
}

const endpointName = (endpoint: Endpoint | null): string =>
  endpoint ? `${endpoint.method} ${endpoint.path}` : OTHER_ENDPOINT;

/** Adds the counts to rows that were not written yet, in the order of time. */
export function usageRows(
  counted: readonly RequestCounts[],
  unwritten: readonly UsageRow[] = [],
): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  const add = (row: UsageRow): void => {
    const key = `${row.minuteMs} ${row.accountId} ${row.keyId} ${row.endpoint}`;
    const known = rows.get(key);
    if (known) known.calls += row.calls;
    else rows.set(key, { ...row });
  };
  unwritten.forEach(add);
  for (const { accountId, minuteMs, keyId, isSession, calls } of counted) {
    for (const [endpoint, count] of calls) {
      const row = { accountId, minuteMs, keyId: isSession ? SESSIONS : keyId };
      add({ ...row, endpoint: endpointName(endpoint), calls: count });
    }
  }
  return [...rows.values()].sort((a, b) => a.minuteMs - b.minuteMs);
}

/** When each key was last used, by the id of the key. */
export function lastUses(counted: readonly RequestCounts[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { keyId, lastMs } of counted) uses.set(keyId, Math.max(lastMs, uses.get(keyId) ?? 0));
  return uses;
}
