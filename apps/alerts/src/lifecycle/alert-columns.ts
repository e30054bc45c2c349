import type { AlertRecord } from './alert-record';

/** One column of `alerts` in a batch statement: one array parameter. */
interface Column {
  name: string;
  /** SQL type. A `time` is written from milliseconds since 1970. */
  type: 'text' | 'float8' | 'bigint' | 'time' | 'jsonb';
  value(alert: AlertRecord): unknown;
}

/** Columns that never change after the alert opened. */
const FIXED: readonly Column[] = [
  { name: 'account_id', type: 'text', value: ({ accountId }) => accountId },
  { name: 'position_id', type: 'text', value: ({ positionId }) => positionId },
  { name: 'type', type: 'text', value: ({ type }) => type },
  { name: 'opened_band', type: 'text', value: ({ openedBand }) => openedBand },
  { name: 'rule_id', type: 'text', value: ({ ruleId }) => ruleId },
  { name: 'target_webhook_id', type: 'text', value: ({ targetWebhookId }) => targetWebhookId },
  { name: 'incident_id', type: 'text', value: ({ incidentId }) => incidentId },
  { name: 'created_at', type: 'time', value: ({ createdAtMs }) => createdAtMs },
];

const CHANGING: readonly Column[] = [
  { name: 'severity', type: 'text', value: ({ severity }) => severity },
  { name: 'title', type: 'text', value: ({ title }) => title },
  { name: 'message', type: 'text', value: ({ message }) => message },
  { name: 'confidence_score', type: 'float8', value: ({ confidenceScore }) => confidenceScore },
  { name: 'resolved_at', type: 'time', value: ({ resolvedAtMs }) => resolvedAtMs },
  { name: 'resolve_reason', type: 'text', value: ({ resolveReason }) => resolveReason },
  { name: 'escalated_to', type: 'text', value: ({ escalatedTo }) => escalatedTo },
  { name: 'level', type: 'text', value: ({ level }) => level },
  { name: 'health_factor', type: 'float8', value: ({ healthFactor }) => healthFactor },
  { name: 'updated_at', type: 'time', value: ({ updatedAtMs }) => updatedAtMs },
  { name: 'revision', type: 'bigint', value: ({ revision }) => revision },
  { name: 'opened_block', type: 'bigint', value: ({ openedAt }) => openedAt?.number ?? null },
  { name: 'opened_block_hash', type: 'text', value: ({ openedAt }) => openedAt?.hash ?? null },
  { name: 'worsened_block', type: 'bigint', value: ({ worsenedAt }) => worsenedAt?.number ?? null },
  { name: 'worsened_block_hash', type: 'text', value: ({ worsenedAt }) => worsenedAt?.hash ?? null },
  { name: 'content', type: 'jsonb', value: ({ content }) => content && JSON.stringify(content) },
];

const ID: Column = { name: 'id', type: 'text', value: ({ id }) => id };
const INSERTED = [ID, ...FIXED, ...CHANGING];
const UPDATED = [ID, ...CHANGING];

/** SQL: the columns of many alerts as rows named `alert`, from array parameters. */
function rowsOf(columns: readonly Column[]): string {
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type === 'time' ? 'float8' : type}[]`);
  return `unnest(${arrays.join(', ')}) AS alert (${columns.map(({ name }) => name).join(', ')})`;
}

const valueOf = ({ name, type }: Column): string =>
  type === 'time' ? `to_timestamp(alert.${name} / 1000)` : `alert.${name}`;

export const INSERT_ALERTS = `INSERT INTO alerts (${INSERTED.map(({ name }) => name).join(', ')})
SELECT ${INSERTED.map(valueOf).join(', ')} FROM ${rowsOf(INSERTED)}`;

export const UPDATE_ALERTS = `UPDATE alerts SET ${CHANGING.map((column) => `${column.name} = ${valueOf(column)}`).join(', ')}
FROM ${rowsOf(UPDATED)} WHERE alerts.id = alert.id`;

export function insertedValues(alerts: readonly AlertRecord[]): unknown[] {
  return INSERTED.map(({ value }) => alerts.map(value));
}

export function updatedValues(alerts: readonly AlertRecord[]): unknown[] {
  return UPDATED.map(({ value }) => alerts.map(value));
}
