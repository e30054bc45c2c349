import {
  type AlertChangeV1,
  type AlertContent,
  type AlertGroupV1,
  type AlertPositionV1,
  type AlertV1,
  type Correlation,
  type PositionV1,
  RISK_THRESHOLDS,
  type WebhookData,
  type WebhookEnvelope,
  type WebhookEventType,
  alertContentOf,
  bandRank,
  checksumAddress,
  derivedId,
  isWorse,
  levelOfEvent,
  ownReceiptHash,
  riskLevelOfEvent,
  severityNumber,
  webhookAlertType,
} from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';

/** A webhook event: one for each event type that follows from a Kafka event. */
export interface WebhookEvent<E extends WebhookEventType = WebhookEventType> extends Correlation {
  eventId: string;
  event: E;
  /** ISO 8601. When the event was created. */
  timestamp: string;
  data: WebhookData[E];
}

/** Worsening to this band or a worse one is a liquidation risk. */
const RISK_FROM = bandRank('high');

/** alert.created or alert.resolved. */
export function alertWebhookEvent(received: ReceivedEvent<AlertV1>, alert: AlertV1): WebhookEvent {
  if (alert.status === 'active') {
    return { ...origin(received), event: 'alert.created', data: activeData(alert) };
  }
  const { resolveReason, escalatedTo } = alert;
  const data: WebhookData['alert.resolved'] = {
    ...contentOf(alert),
    alertId: alert.alertId,
    alertType: 'safe',
    type: alert.type,
    title: alert.title,
    position: alert.position && shown(alert.position),
    ...levelOf(alert),
    ...(resolveReason && { resolveReason }),
    ...(escalatedTo !== undefined && { escalatedTo }),
  };
  return { ...origin(received), event: 'alert.resolved', data };
}

/** alert.escalated or alert.updated. */
export function alertChangeWebhookEvent(
  received: ReceivedEvent<AlertChangeV1>,
  alert: AlertChangeV1,
): WebhookEvent {
  const { change, previousSeverity, previousLevel, reason, silenceEnded } = alert;
  const data: WebhookData['alert.escalated'] = {
    ...activeData(alert),
    previousSeverity: severityNumber(previousSeverity),
    previousLevel,
    ...(reason && { reason }),
    ...(silenceEnded && { silenceEnded }),
  };
  return { ...origin(received), event: `alert.${change}`, data };
}

function activeData(alert: AlertV1): WebhookData['alert.created'] {
  const { alertId, type, severity, title, message, confidenceScore, position } = alert;
  return {
    ...contentOf(alert),
    alertId,
    alertType: webhookAlertType(severity),
    type,
    severity: severityNumber(severity),
    title,
    message,
    position: position && shown(position),
    confidenceScore,
    ...levelOf(alert),
  };
}

function contentOf(alert: AlertV1): AlertContent & { groupId: string | null } {
  return { ...alertContentOf(alert), groupId: alert.groupId ?? null };
}

/** alert.group. */
export function groupWebhookEvent(
  received: ReceivedEvent<AlertGroupV1>,
  { accountId: _account, ...group }: AlertGroupV1,
): WebhookEvent {
  const alerts = group.alerts.map((row) => ({ ...row, severity: severityNumber(row.severity) }));
  return { ...origin(received), event: 'alert.group', data: { ...group, alerts } };
}

function levelOf({ level, revision }: AlertV1): Pick<WebhookData['alert.created'], 'level' | 'revision'> {
  return { ...(level && { level }), ...(revision !== undefined && { revision }) };
}

/**
 * Returns position.updated for a material change, and position.liquidation_risk for a position that came into
 * danger.
 */
export function positionWebhookEvents(
  received: ReceivedEvent<PositionV1>,
  position: PositionV1,
): WebhookEvent[] {
  const { id: positionId, healthFactor, protocol, chainId } = position;
  const wallet = checksumAddress(position.wallet);
  const receiptHash = ownReceiptHash(position);
  const proof = receiptHash === null ? {} : { receiptHash };
  const events: WebhookEvent[] = [];
  if (position.material) {
    const { previousHealthFactor, totalCollateralUsd, totalDebtUsd } = position;
    const data: WebhookData['position.updated'] = {
      positionId,
      wallet,
      healthFactor,
      previousHealthFactor,
      totalCollateralUsd,
      totalDebtUsd,
      protocol,
      chainId,
      ...proof,
    };
    events.push({ ...origin(received), event: 'position.updated', data });
  }
  if (isAtRisk(position)) {
    const event = 'position.liquidation_risk';
    const data: WebhookData[typeof event] = {
      positionId,
      wallet,
      healthFactor,
      protocol,
      chainId,
      ...riskLevelOfEvent(position),
      riskThresholds: RISK_THRESHOLDS,
      ...proof,
    };
    // position.updated uses the id of the Kafka event, and receivers deduplicate by it.
    events.push({ ...origin(received), eventId: derivedId('evt', received.id, event), event, data });
  }
  return events;
}

/**
 * Returns true when the position entered a worse band of risk, or its figures fell below 1. Hysteresis may
 * keep the band at liquidatable while the figures leave it and enter it again.
 */
function isAtRisk(position: PositionV1): boolean {
  const { band, previousBand, previousLevel, previousHealthFactor } = position;
  if (bandRank(band) >= RISK_FROM && isWorse(band, previousBand)) return true;
  if (levelOfEvent(position) !== 'liquidatable') return false;
  // Events of earlier releases have no previous level.
  if (previousLevel !== undefined) return previousLevel !== 'liquidatable';
  return previousHealthFactor !== null && previousHealthFactor >= 1;
}

/**
 * Returns the body of the request to one endpoint. It is created once, then stored, signed and sent byte for
 * byte.
 */
export function webhookBody({ event, timestamp, eventId, data }: WebhookEvent, webhookId: string): string {
  const envelope: WebhookEnvelope = { event, timestamp, webhookId, eventId, data };
  return JSON.stringify(envelope);
}

function origin({
  id,
  time,
  requestId,
  traceparent,
}: ReceivedEvent<unknown>): Omit<WebhookEvent, 'event' | 'data'> {
  return { eventId: id, timestamp: new Date(time).toISOString(), requestId, traceparent };
}

function shown({ band: _band, ...position }: AlertPositionV1): Omit<AlertPositionV1, 'band'> {
  return { ...position, wallet: checksumAddress(position.wallet) };
}
