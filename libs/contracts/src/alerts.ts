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
