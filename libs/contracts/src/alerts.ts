/** Values of an alert's `type`. */
export const ALERT_TYPES = [
  'health_factor_warning',
  'liquidation_risk',
  'price_move',
  'collateral_drop',
  'rule_triggered',
  'whale_move',
  'oracle_stale',
  'depeg',
  'oracle_deviation',
  'parameter_change',
  'webhook_disabled',
  'execution_failed',
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** Severities from mildest to worst. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How an active alert changed: it became worse, or its figures or its level changed. */
export const ALERT_CHANGES = ['escalated', 'updated'] as const;

/**
 * How an account silenced an active alert: snoozed until a time or until its severity rises, muted until it
 * is unmuted.
 */
export const ALERT_SILENCES = ['snoozed', 'muted'] as const;
export type AlertSilence = (typeof ALERT_SILENCES)[number];

/** Longest snooze of an alert. */
export const MOST_SNOOZE_MINUTES = 7 * 24 * 60;

/** Why an alert about a position resolved. */
export const ALERT_RESOLVE_REASONS = [
  'recovered',
  'closed',
  'unwatched',
  'dust',
  'escalated',
  'retracted',
] as const;
export type AlertResolveReason = (typeof ALERT_RESOLVE_REASONS)[number];

/** Alert settings of an account. */
export interface AlertPreferences {
  /** USD. A position whose collateral and debt are both below this value opens no alert. */
  minUsd: number;
  /** Health factor that the suggested repayments and deposits reach. */
  targetHealthFactor: number;
}
export const DEFAULT_ALERT_PREFERENCES: Readonly<AlertPreferences> = { minUsd: 10, targetHealthFactor: 1.5 };

/** Returns the integer that webhook payloads carry: 1 (info) to 5 (critical). */
export function severityNumber(severity: Severity): number {
  return SEVERITIES.indexOf(severity) + 1;
}

/** Values of `alertType` in alert.created. An alert.resolved has `safe`. */
export const WEBHOOK_ALERT_TYPES = ['warning', 'danger', 'critical'] as const;
export type WebhookAlertType = (typeof WEBHOOK_ALERT_TYPES)[number];

export function webhookAlertType(severity: Severity): WebhookAlertType {
  if (severity === 'critical') return 'critical';
  return severity === 'high' ? 'danger' : 'warning';
}

/** Why an incident opened: a critical alert, a liquidation, or several alerts in one market of a chain. */
export const INCIDENT_TRIGGERS = ['critical_alert', 'liquidation', 'alert_run'] as const;
export type IncidentTrigger = (typeof INCIDENT_TRIGGERS)[number];

/** States of an incident. It closes when all its alerts have resolved. */
export const INCIDENT_STATES = ['open', 'closed'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** Kinds of facts in an incident's timeline. */
export const INCIDENT_FACTS = [
  'alert_opened',
  'alert_escalated',
  'alert_resolved',
  'band_changed',
  'liquidation',
] as const;
export type IncidentFactKind = (typeof INCIDENT_FACTS)[number];
