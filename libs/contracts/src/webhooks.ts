import { type Static, Type } from '@sinclair/typebox';
import { ALERT_CONTENT_FIELDS, groupId } from './alert-content';
import { WebhookAlertGroup } from './alert-group';
import { ALERT_RESOLVE_REASONS, ALERT_SILENCES, ALERT_TYPES, WEBHOOK_ALERT_TYPES } from './alerts';
import { BANDS, type Band } from './risk/bands';
import { nullable, oneOf, recordId, sha256, shownAddress, timestamp, usd } from './schema-fields';
import { RiskThresholds, riskLevelFields } from './risk/risk-level-schema';

/** Event types that an endpoint may subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'alert.created',
  'alert.escalated',
  'alert.updated',
  'alert.resolved',
  'alert.group',
  'position.updated',
  'position.liquidation_risk',
  'test.ping',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** States of a delivery. */
export const DELIVERY_STATES = ['pending', 'retrying', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why the service disabled an endpoint: it responded with 410, or every attempt of 5 days failed. */
export const WEBHOOK_DISABLED_REASONS = ['gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/** Body of every webhook request. */
export interface WebhookEnvelope<E extends WebhookEventType = WebhookEventType> {
  event: E;
  timestamp: string;
  webhookId: string;
  /** The same for every delivery and retry of one event. Receivers deduplicate by it. */
  eventId: string;
  data: WebhookData[E];
}

const healthFactor = nullable(Type.Number({ minimum: 0 }), 'Health factor. Null without debt.');
const protocol = Type.String({ description: 'Protocol id.' });
const chainId = Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' });
/** The position of an alert, as webhooks send it. */
export const WebhookPosition = Type.Object({
  id: recordId('pos', 'Id of the position.'),
  healthFactor,
  collateralUsd: usd('Collateral, as the protocol counts it.'),
  debtUsd: usd('Everything owed.'),
  protocol,
  chainId,
  wallet: shownAddress('Wallet of the position.'),
});

const severity = Type.Integer({ minimum: 1, maximum: 5, description: '1 (info) to 5 (critical).' });
const level = oneOf<Band>(BANDS, {
  description:
    'Level of the position: liquidatable exactly when its health factor is below 1, otherwise its band with hysteresis.',
});
const alertFields = {
  ...ALERT_CONTENT_FIELDS,
  groupId,
  alertId: recordId('alt', 'Id of the alert.'),
  type: oneOf(ALERT_TYPES, { description: 'Type of the alert, as in GET /v1/alerts.' }),
  title: Type.String({ description: 'One line of text.' }),
  position: nullable(WebhookPosition, 'Position of the alert. Null without a position.'),
  level: Type.Optional(level),
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Counts the changes of the alert. Requests may arrive out of order: ignore one with a lower revision than the last.',
    }),
  ),
};
const activeFields = {
  ...alertFields,
  alertType: oneOf(WEBHOOK_ALERT_TYPES, {
    description: 'warning: info to medium severity; danger: high; critical: critical.',
  }),
  severity,
  message: Type.String({ description: 'What happened, as text.' }),
  confidenceScore: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How fresh the figures are and how well their sources agree.',
  }),
};
/** Data of alert.escalated and alert.updated. */
export const AlertChangedData = Type.Object({
  ...activeFields,
  previousSeverity: severity,
  previousLevel: level,
  reason: Type.Optional(
    Type.Literal('retracted', {
      description: 'A reorg replaced the block in which the alert last became worse.',
    }),
  ),
  silenceEnded: Type.Optional(
    oneOf(ALERT_SILENCES, {
      description:
        'A snooze or mute of the alert ended. The alert is as it is now, and its changes since previousSeverity and previousLevel were not sent. Only in updated events.',
    }),
  ),
});

const positionFields = {
  positionId: recordId('pos', 'Id of the position.'),
  wallet: shownAddress('Wallet of the position.'),
  healthFactor,
  protocol,
  chainId,
  receiptHash: Type.Optional(
    sha256(
      'Hash of the receipt that proves the change of level: GET /v1/receipts/:hash. Absent when neither level nor band changed, and in events of earlier releases.',
    ),
  ),
};

/** Data of alert.created. */
export const AlertCreatedData = Type.Object(activeFields);

/** Data of alert.resolved. */
export const AlertResolvedData = Type.Object({
  ...alertFields,
  alertType: Type.Literal('safe', { description: 'Always safe.' }),
  resolveReason: Type.Optional(
    oneOf(ALERT_RESOLVE_REASONS, {
      description:
        'recovered, closed, unwatched, dust, escalated (escalatedTo replaced it; the position is not safe) or retracted (a reorg replaced the block that opened it).',
    }),
  ),
  escalatedTo: Type.Optional(recordId('alt', 'The alert that replaced it.')),
});

/** Data of position.updated. */
export const PositionUpdatedData = Type.Object({
  ...positionFields,
  previousHealthFactor: nullable(
    Type.Number({ minimum: 0 }),
    'From the previous event. Null in the first event or without debt.',
  ),
  totalCollateralUsd: usd('Collateral, as the protocol counts it.'),
  totalDebtUsd: usd('Everything owed.'),
});

/** Data of position.liquidation_risk. */
export const LiquidationRiskData = Type.Object({
  ...positionFields,
  riskLevel: riskLevelFields.riskLevel,
  // Absent in events of earlier releases, which GET /v1/events still lists.
  riskLevelBasis: Type.Optional(riskLevelFields.riskLevelBasis),
  riskLevelReason: Type.Optional(riskLevelFields.riskLevelReason),
  riskThresholds: Type.Optional(RiskThresholds),
});

/** Data of test.ping. */
export const TestPingData = Type.Object({
  message: Type.String({ description: 'For people.' }),
  webhookId: recordId('wh', 'Id of the endpoint.'),
  timestamp: timestamp('When the test was sent.'),
});

/** Schema of `data` of each event type. */
export const WEBHOOK_DATA = {
  'alert.created': AlertCreatedData,
  'alert.escalated': AlertChangedData,
  'alert.updated': AlertChangedData,
  'alert.resolved': AlertResolvedData,
  'alert.group': WebhookAlertGroup,
  'position.updated': PositionUpdatedData,
  'position.liquidation_risk': LiquidationRiskData,
  'test.ping': TestPingData,
};

/** `data` of each event type. */
export type WebhookData = { [E in WebhookEventType]: Static<(typeof WEBHOOK_DATA)[E]> };

/** Headers of a webhook request. */
export const WEBHOOK_HEADERS = {
  signature: 'x-service-signature',
  signatureNext: 'x-service-signature-next',
  event: 'x-service-event',
  delivery: 'x-service-delivery',
  eventId: 'x-service-event-id',
  attempt: 'x-service-attempt',
} as const;
