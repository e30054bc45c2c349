import type { AlertChangeV1, AlertPositionV1, AlertV1, Correlation } from '@plimsoll/contracts';
import type { PositionState } from '../positions/position-state';
import type { AlertNotice } from './alert';
import type { NewAlert } from './alerts.repository';

/** An event to publish. */
export type AlertEvent = {
  /** Chosen when another row refers to it. */
  eventId?: string;
  cause: Correlation;
  /** Name of the text. Null for the text of a rule. Absent for alerts without a position. */
  text?: string | null;
} & ({ topic: 'alert.v1'; value: AlertV1 } | { topic: 'alert-change.v1'; value: AlertChangeV1 });

/** Fields that a change adds to the alert. */
export type AlertChangeFields = Pick<
  AlertChangeV1,
  'change' | 'previousSeverity' | 'previousLevel' | 'reason'
>;

/**
 * Returns the alert.v1 event.
 * @param position as it was when the alert changed; null when the alert is about none, or no state is known
 */
export function alertEvent(
  alert: NewAlert,
  { title, message, content }: AlertNotice,
  position: PositionState | null,
): AlertV1 {
  const { resolvedAtMs = null, asset, ruleId, targetWebhookId, resolveReason, escalatedTo } = alert;
  const { level, revision, updatedAtMs } = alert;
  return {
    alertId: alert.id,
    accountId: alert.accountId,
    status: resolvedAtMs === null ? 'active' : 'resolved',
    type: alert.type,
    severity: alert.severity,
    title,
    message,
    position: position && positionEvent(position),
    confidenceScore: alert.confidenceScore,
    createdAt: new Date(alert.createdAtMs).toISOString(),
    resolvedAt: resolvedAtMs === null ? null : new Date(resolvedAtMs).toISOString(),
    ...(asset != null && { asset }),
    ...(ruleId != null && { ruleId }),
    ...(targetWebhookId != null && { targetWebhookId }),
    ...(level != null && revision !== undefined && { level, revision }),
    ...(level != null && updatedAtMs !== undefined && { updatedAt: new Date(updatedAtMs).toISOString() }),
    ...(resolveReason != null && { resolveReason }),
    ...(escalatedTo != null && { escalatedTo }),
    ...(content && { content }),
  };
}

function positionEvent(position: PositionState): AlertPositionV1 {
  const { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band } = position;
  return { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band };
}
