import type { AlertChangeV1, AlertContent, AlertPositionV1, AlertV1 } from '@plimsoll/contracts';
import type { AlertRecord } from './alert-record';
import type { AlertText } from '../sources/position/alert-text';
import { confidenceScore } from '../content/confidence-score';
import type { Evaluation } from './evaluation';
import type { PositionState } from '../positions/position-state';

/** Returns the alert.v1 event, with the position as it was when the alert changed. */
export function alertEvent(
  alert: AlertRecord,
  { title, message, content }: AlertText & { content: AlertContent },
  { position, ageBlocks }: Evaluation,
): AlertV1 {
  const isActive = alert.resolvedAtMs === null;
  const { ruleId, targetWebhookId, resolveReason, escalatedTo, level, revision } = alert;
  return {
    alertId: alert.id,
    accountId: alert.accountId,
    status: isActive ? 'active' : 'resolved',
    type: alert.type,
    severity: alert.severity,
    title,
    message,
    position: positionEvent(position),
    confidenceScore: confidenceScore(ageBlocks),
    createdAt: new Date(alert.createdAtMs).toISOString(),
    resolvedAt: alert.resolvedAtMs === null ? null : new Date(alert.resolvedAtMs).toISOString(),
    ...(ruleId !== null && { ruleId }),
    ...(targetWebhookId !== null && { targetWebhookId }),
    ...(level !== null && { level, revision }),
    ...(resolveReason !== null && { resolveReason }),
    ...(escalatedTo !== null && { escalatedTo }),
    content,
  };
}

/** Fields that a change adds to the alert. */
export type AlertChangeFields = Pick<
  AlertChangeV1,
  'change' | 'previousSeverity' | 'previousLevel' | 'reason'
>;

/** Returns the position in the form of alert.v1. */
export function positionEvent(position: PositionState): AlertPositionV1 {
  const { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band } = position;
  return { id, healthFactor, collateralUsd, debtUsd, protocol, chainId, wallet, band };
}
