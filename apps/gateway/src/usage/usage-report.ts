import type { UsageReport } from '@plimsoll/contracts';

export const DAY_MS = 86_400_000;
export const REPORTED_DAYS = 30;

/** Stored requests of one account. */
export interface StoredUsage {
  /** 2026-11-21. */
  date: string;
  endpoint: string;
  calls: number;
}

/** Returns sums by endpoint, most requests first. */
function byEndpoint(rows: readonly StoredUsage[]): UsageReport['endpoints'] {
  const sums = new Map<string, number>();
  for (const { endpoint, calls } of rows) sums.set(endpoint, (sums.get(endpoint) ?? 0) + calls);
  return [...sums]
    .map(([endpoint, calls]) => ({ endpoint, calls }))
    .sort((a, b) => b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1));
}

const sumOf = (rows: readonly { calls: number }[]): number => rows.reduce((sum, { calls }) => sum + calls, 0);

/** Returns the report of the last 30 UTC days, including today. */
export function usageReport(
  quota: UsageReport['quota'],
  rows: readonly StoredUsage[],
  now: Date,
): UsageReport {
  const days = Array.from({ length: REPORTED_DAYS }, (_, ago) => {
    const date = new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
    const endpoints = byEndpoint(rows.filter((row) => row.date === date));
    return { date, calls: sumOf(endpoints), endpoints };
  });
  const endpoints = byEndpoint(rows);
  return { quota, days, endpoints, calls: sumOf(endpoints), timestamp: now.toISOString() };
}
