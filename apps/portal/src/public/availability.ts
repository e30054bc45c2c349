import type { components } from '@plimsoll/sdk';

type StatusDay = components['schemas']['StatusDay'];

const MINUTES_OF_DAY = 1_440;

/** Minutes of a day that count. */
export const minutesOf = ({ operational, degraded, down, unrecorded }: StatusDay): number =>
  operational + degraded + down + unrecorded;

/** Share of the minutes of a day in which the part was available. Null without a minute. */
export function shareOf(day: StatusDay): number | null {
  const all = minutesOf(day);
  return all === 0 ? null : (day.operational + day.degraded) / all;
}

/** A share rounded down, so that it never looks better than it is: 100 %, 99.98 %, 62.5 %. Null: no record. */
export function availabilityText(share: number | null): string {
  if (share === null) return 'not recorded yet';
  if (share === 1) return '100 %';
  const down = (digits: number): string => {
    const scale = 10 ** digits;
    return (Math.floor(share * 100 * scale + 1e-9) / scale).toFixed(digits);
  };
  return share >= 0.99 ? `${down(2)} %` : `${down(1)} %`;
}

/** Minutes as text: 3 min, 2 h 5 min, 1 day 4 h. */
export function minutesText(minutes: number): string {
  const [days, hours, rest] = [
    Math.floor(minutes / MINUTES_OF_DAY),
    Math.floor((minutes % MINUTES_OF_DAY) / 60),
    minutes % 60,
  ];
  const parts = [
    ...(days > 0 ? [`${days} ${days === 1 ? 'day' : 'days'}`] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(rest > 0 || minutes === 0 ? [`${rest} min`] : []),
  ];
  return parts.slice(0, 2).join(' ');
}

/** A latency: 480 ms, 1.4 s, 95 s. Null: unknown. */
export function latencyText(ms: number | null): string {
  if (ms === null) return 'unknown';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

/** The minutes of all days together. */
export function sumOf(days: readonly StatusDay[], name: 'degraded' | 'down' | 'unrecorded'): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}
