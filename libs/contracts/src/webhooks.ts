import type { AlertPositionV1 } from './events/alert.v1';
import type { Band } from './bands';
import type { WebhookAlertType } from './alerts';

/** Event types an endpoint may subscribe to (api-v1.md, Event types). */
export const WEBHOOK_EVENT_TYPES = [
  'alert.created',
  'alert.resolved',
  'position.updated',
  'position.liquidation_risk',
  'test.ping',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** States of a delivery (decisions.md, Values). */
export const DELIVERY_STATES = ['pending', 'retrying', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Body of every webhook request (decisions.md, Webhook envelope). */
export interface WebhookEnvelope<E extends WebhookEventType = WebhookEventType> {
  event: E;
  timestamp: string;
  webhookId: string;
  /** The same for every delivery and retry of one event: receivers deduplicate on it. */
  eventId: string;
  data: WebhookData[E];
}

/** `data` of each event type (api-v1.md, Event types). */
export interface WebhookData {
  'alert.created': {
    alertId: string;
    alertType: WebhookAlertType;
    type: string;
    /** 1 (info) to 5 (critical). */
    severity: number;
    title: string;
    message: string;
    position: Omit<AlertPositionV1, 'band'> | null;
    confidenceScore: number;
  };
  'alert.resolved': {
    alertId: string;
    alertType: 'safe';
    type: string;
    title: string;
    position: Omit<AlertPositionV1, 'band'> | null;
  };
  'position.updated': {
    positionId: string;
    wallet: string;
    healthFactor: number | null;
    previousHealthFactor: number | null;
    totalCollateralUsd: number;
    totalDebtUsd: number;
    protocol: string;
    chainId: number;
  };
  'position.liquidation_risk': {
    positionId: string;
    wallet: string;
    healthFactor: number | null;
    protocol: string;
    chainId: number;
    riskLevel: Band;
  };
  'test.ping': { message: string; webhookId: string; timestamp: string };
}

/** Headers of a webhook request (api-v1.md, Delivery 3; decisions.md, Webhook envelope). */
export const WEBHOOK_HEADERS = {
  signature: 'x-service-signature',
  signatureNext: 'x-service-signature-next',
  event: 'x-service-event',
  delivery: 'x-service-delivery',
  eventId: 'x-service-event-id',
  attempt: 'x-service-attempt',
} as const;
