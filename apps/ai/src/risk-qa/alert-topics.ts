import { type AlertItem, SEVERITIES } from '@plimsoll/contracts';
import { draftOf, cannotAnswer } from '../answers/cannot-answer';
import { say } from '../answers/say';
import type { TopicWriter } from './ask';

const DAY_MS = 86_400_000;

const alerts: TopicWriter = async ({ question, reading, readers: { alerts: reader, clock } }) => {
  const { words, days, positionIds } = question;
  const status = /\bresolved\b/.test(words) ? 'resolved' : days === null ? 'active' : null;
  const sinceMs = days === null ? null : clock.now() - days * DAY_MS;
  const read = await reader.alerts(reading, status, sinceMs);
  if (read === null) return cannotAnswer('unavailable');
  const severity = SEVERITIES.find((each) => new RegExp(`\\b${each}\\b`).test(words)) ?? null;
  const isMeant = (alert: AlertItem): boolean =>
    (severity === null || alert.severity === severity) &&
    (positionIds.length === 0 || (alert.positionId !== null && positionIds.includes(alert.positionId)));
  const meant = read.items.filter(isMeant);
  const { sheet } = reading;
  const source = 'GET /v1/alerts';
  const at = { time: new Date(clock.now()).toISOString(), source };
  const count = sheet.add('alerts.meant.count', 'number of alerts that are meant', meant.length, 'count', at);
  const what = [severity ?? '', status ?? ''].filter((word) => word !== '').join(' ');
  const head = say`The number of ${what === '' ? 'alerts' : `${what} alerts`} is ${count}.`;
  const [newest] = meant;
  if (!newest) return draftOf(head);
  const of = { time: newest.createdAt, source };
  const type = sheet.add(`alert.${newest.id}.type`, 'type of an alert', newest.type, 'enum', of);
  const level = sheet.add(`alert.${newest.id}.severity`, 'severity of an alert', newest.severity, 'enum', of);
  const opened = sheet.add(
    `alert.${newest.id}.createdAt`,
    'when an alert was opened',
    newest.createdAt,
    'time',
    of,
  );
  return draftOf(head, say`The newest is ${type} of severity ${level}, opened at ${opened}.`);
};

const incidents: TopicWriter = async ({ question, reading, readers: { alerts: reader, clock } }) => {
  const { incidentIds, words, days } = question;
  const { sheet } = reading;
  const [id] = incidentIds;
  if (id !== undefined) {
    const read = await reader.incident(reading, id);
    if (read.state === 'away') return cannotAnswer('unavailable');
    if (read.state === 'not_found') return cannotAnswer('unknown_incident');
    const { incident } = read.body;
    const at = { time: incident.openedAt, source: `GET /v1/incidents/${id}` };
    const add = (field: string, value: string | number, unit: 'id' | 'enum' | 'time' | 'count') =>
      sheet.add(`incident.${id}.${field}`, `${field} of the incident`, value, unit, at);
    return draftOf(
      say`The incident ${add('id', id, 'id')} in ${add('protocol', incident.protocol, 'id')} is ${add('status', incident.status, 'enum')}, of severity ${add('severity', incident.severity, 'enum')}, opened at ${add('openedAt', incident.openedAt, 'time')}, and holds ${add('alertCount', incident.alertCount, 'count')} alerts.`,
    );
  }
  const status = /\bclosed\b/.test(words) ? 'closed' : days === null ? 'open' : null;
  const read = await reader.incidents(reading, status, days === null ? null : clock.now() - days * DAY_MS);
  if (read === null) return cannotAnswer('unavailable');
  const what = status === null ? 'incidents' : `${status} incidents`;
  return draftOf(say`The number of ${what} is ${read.count}.`);
};

export const ALERT_TOPICS = { alerts, incidents } as const;
