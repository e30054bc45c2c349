import type { AlertV1 } from '@plimsoll/contracts';
import type { AlertRecord } from '../alerts/alert-record';
import type { AlertText } from './alert-text';
import { confidenceScore } from './confidence-score';
import type { Evaluation } from './evaluation';

/** The alert as it is told to the other services, with the position as it was when the alert changed. */
export function alertEvent(
  alert: AlertRecord,
  { title, message }: AlertText,
  { position, ageBlocks }: Evaluation,
): AlertV1 {
  const { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band } = position;
  const isActive = alert.resolvedAtMs === null;
  return {
    alertId: alert.id,
    accountId: alert.accountId,
    status: isActive ? 'active' : 'resolved',
    type: alert.type,
    severity: alert.severity,
    title,
    message,
    position: { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band },
    confidenceScore: confidenceScore(ageBlocks),
    createdAt: new Date(alert.createdAtMs).toISOString(),
    resolvedAt: alert.resolvedAtMs === null ? null : new Date(alert.resolvedAtMs).toISOString(),
    ...(alert.ruleId !== null && { ruleId: alert.ruleId }),
    ...(alert.targetWebhookId !== null && { targetWebhookId: alert.targetWebhookId }),
  };
}
