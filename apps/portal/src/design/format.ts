const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** 1240 as 1,240. */
export const formatCount = (value: number): string => WHOLE.format(value);

/** 3.2 ms, 48 ms, 1,204 ms. */
export const formatMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms))} ms`;

const UNITS = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its largest unit: 2 min, 3 h, 1 day, 12 days. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [unit, size] = UNITS.find(([, each]) => whole >= each) ?? (['s', 1] as const);
  const value = Math.floor(whole / size);
  return `${value} ${unit === 'day' && value > 1 ? 'days' : unit}`;
}

/** A time beside now: 2 min ago, in 3 h, just now. */
export function formatAgo(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1_000;
  if (Math.abs(seconds) < 5) return 'just now';
  return seconds > 0 ? `${formatDuration(seconds)} ago` : `in ${formatDuration(-seconds)}`;
}

/** 2026-11-27 12:48:43 UTC. */
export const formatUtc = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const LOCAL = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** A time in the zone of the user: 27 Nov 2026, 13:48:43 CET. */
export const formatLocal = (at: Date): string => LOCAL.format(at);

/** An address or hash by its ends: 0x7099…79C8. */
export const shortened = (text: string): string =>
  text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A UTC day such as 2026-11-27 as 27 Nov. */
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));
