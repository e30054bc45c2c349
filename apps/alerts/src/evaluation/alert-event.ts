import type { AlertPositionV1, AlertV1 } from '@plimsoll/contracts';
import type { AlertRecord } from '../alerts/alert-record';
import type { AlertText } from './alert-text';
import { confidenceScore } from './confidence-score';
import type { Evaluation } from './evaluation';
import type { PositionState } from './position-state';

/** The alert as it is told to the other services, with the position as it was when the alert changed. */
export function alertEvent(
  alert: AlertRecord,
  { title, message }: AlertText,
  { position, ageBlocks }: Evaluation,
): AlertV1 {
  const isActive = alert.resolvedAtMs === null;
  return {
    alertId: alert.id,
    accountId: alert.accountId,
    status: isActive ? 'active' : 'resolved',
    type: alert.type,
    severity: alert.severity,
    title,
    message,
    position: shownPosition(position),
    confidenceScore: confidenceScore(ageBlocks),
    createdAt: new Date(alert.createdAtMs).toISOString(),
    resolvedAt: alert.resolvedAtMs === null ? null : new Date(alert.resolvedAtMs).toISOString(),
    ...(alert.ruleId !== null && { ruleId: alert.ruleId }),
    ...(alert.targetWebhookId !== null && { targetWebhookId: alert.targetWebhookId }),
  };
}

/** The position that an alert is about, as alert.v1 carries it. */
export function shownPosition(position: PositionState): AlertPositionV1 {
  const { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band } = position;
  return { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band };
}
