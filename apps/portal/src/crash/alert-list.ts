import type { Alert } from './alert';

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

/** When an alert last changed. */
export const changedAt = ({ updatedAt, createdAt }: Alert): string => updatedAt ?? createdAt;

/** Active alerts with one of the stream, the last change first. An earlier revision changes nothing. */
export function withAlert(alerts: readonly Alert[], next: Alert): readonly Alert[] {
  const known = alerts.find(({ id }) => id === next.id);
  if (known && (known.revision ?? 0) > (next.revision ?? 0)) return alerts;
  const others = alerts.filter(({ id }) => id !== next.id);
  return next.status === 'active' ? newestFirst([next, ...others]) : others;
}

/** Alerts by their last change. Those of one moment have the order of the API: the later id first. */
export const newestFirst = (alerts: readonly Alert[]): Alert[] =>
  [...alerts].sort((a, b) => compare(changedAt(b), changedAt(a)) || compare(b.id, a.id));

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Whether an alert is new, or worse than before: the sound is for these. */
export function isWorse(alerts: readonly Alert[], next: Alert): boolean {
  if (next.status !== 'active') return false;
  const known = alerts.find(({ id }) => id === next.id);
  return !known || SEVERITIES.indexOf(next.severity) > SEVERITIES.indexOf(known.severity);
}
