import type { StatusDay, StatusHistory } from '@plimsoll/contracts';

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** A UTC day of a part, as it is stored. */
export interface DayRow {
  /** YYYY-MM-DD. */
  day: string;
  part: string;
  firstMinute: Date;
  lastMinute: Date;
  /** Minutes of each condition. */
  operational: number;
  degraded: number;
  down: number;
  latencyMinutes: number;
  latencySumMs: number;
  latencyMaxMs: number | null;
}

/** The start of a minute, in milliseconds. */
export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
/** The UTC day of a time, YYYY-MM-DD. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns the record of a part since its first minute.
 * @param rows those of the part
 */
export function statusHistory(rows: readonly DayRow[], nowMs: number): StatusHistory {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const first = rows.reduce<DayRow | undefined>(
    (oldest, row) => (oldest && oldest.day <= row.day ? oldest : row),
    undefined,
  );
  if (!first) return { since: null, availability: null, days: [] };
  const sinceMs = first.firstMinute.getTime();
  const days: StatusDay[] = [];
  let [available, all] = [0, 0];
  for (let dayMs = Date.parse(first.day); dayMs <= nowMs; dayMs += DAY_MS) {
    const date = dayOf(dayMs);
    const row = byDay.get(date);
    const { operational = 0, degraded = 0, down = 0 } = row ?? {};
    const beginMs = Math.max(dayMs, sinceMs);
    // The running minute counts once it is recorded.
    const endMs = Math.max(
      Math.min(dayMs + DAY_MS, minuteOf(nowMs)),
      row ? row.lastMinute.getTime() + MINUTE_MS : 0,
    );
    const minutes = Math.max(0, (endMs - beginMs) / MINUTE_MS);
    days.push({
      date,
      operational,
      degraded,
      down,
      unrecorded: Math.max(0, Math.round(minutes) - operational - degraded - down),
      eventLatencyMs: row && row.latencyMinutes > 0 ? row.latencySumMs / row.latencyMinutes : null,
      eventLatencyMaxMs: row?.latencyMaxMs ?? null,
    });
    available += operational + degraded;
    all += minutes;
  }
  return {
    since: first.firstMinute.toISOString(),
    availability: all > 0 ? Math.min(1, available / all) : null,
    days,
  };
}
