/** Values of an alert's `type` (decisions.md, Values). */
export const ALERT_TYPES = [
  'health_factor_warning',
  'liquidation_risk',
  'price_move',
  'collateral_drop',
  'rule_triggered',
  'whale_move',
  'oracle_stale',
  'webhook_disabled',
  'execution_failed',
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** Severities from mildest to worst. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How an active alert changed: it got worse, or its figures or its level did. */
export const ALERT_CHANGES = ['escalated', 'updated'] as const;
export type AlertChange = (typeof ALERT_CHANGES)[number];

/** Why an alert about the state of a position resolved. */
export const ALERT_RESOLVE_REASONS = [
  'recovered',
  'closed',
  'unwatched',
  'dust',
  'escalated',
  'retracted',
] as const;
export type AlertResolveReason = (typeof ALERT_RESOLVE_REASONS)[number];

/** What an account can set for its alerts. */
export interface AlertPreferences {
  /** USD; a position whose collateral and debt are both below it opens no alert. */
  minUsd: number;
  /** Health factor that suggested repayments and deposits lead to. */
  targetHealthFactor: number;
}
export const DEFAULT_ALERT_PREFERENCES: Readonly<AlertPreferences> = { minUsd: 10, targetHealthFactor: 1.5 };

/** 1 (info) to 5 (critical): the integer that webhook payloads carry. */
export function severityNumber(severity: Severity): number {
  return SEVERITIES.indexOf(severity) + 1;
}

/** Values of `alertType` in alert.created; an alert.resolved has `safe` (decisions.md, Values). */
export const WEBHOOK_ALERT_TYPES = ['warning', 'danger', 'critical'] as const;
export type WebhookAlertType = (typeof WEBHOOK_ALERT_TYPES)[number];

export function webhookAlertType(severity: Severity): WebhookAlertType {
  if (severity === 'critical') return 'critical';
  return severity === 'high' ? 'danger' : 'warning';
}
