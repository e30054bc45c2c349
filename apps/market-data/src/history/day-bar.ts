/** Prices of a UTC day in USD. */
export interface DayBar {
  /** YYYY-MM-DD. */
  day: string;
  open: number;
  high: number;
  low: number;
  close: number;
}

const DAY_MS = 86_400_000;

/** Returns the UTC day of a time. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Returns the start of a day, milliseconds since 1970. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** Returns the day a number of days later. */
export function addDays(day: string, days: number): string {
  return dayOf(startOf(day) + days * DAY_MS);
}

/** Returns the days from the first to the last, both included, oldest first. */
export function daysBetween(first: string, last: string): string[] {
  const count = Math.round((startOf(last) - startOf(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index));
}
