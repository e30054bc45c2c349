import type { Correlation, WebhookEventType } from '@plimsoll/contracts';
import type { WebhookTarget } from '../outgoing/webhook-target';
import type { Lease } from './lease';

/** The data of an endpoint that its deliveries need. */
export interface DeliveryTarget extends WebhookTarget {
  /** False when the endpoint is disabled, above the cap or deleted. */
  isOpen: boolean;
}

/**
 * A delivery that this process holds until its lease expires, with the data for its request. Deliveries that
 * were claimed together share a lease, and those of one endpoint share a target.
 */
export interface ClaimedDelivery extends Correlation {
  deliveryId: string;
  webhookId: string;
  accountId: string;
  eventId: string;
  event: WebhookEventType;
  body: string;
  url: string;
  /** Attempts so far. */
  attempts: number;
  /** True for a retry by the account, which has no further retries. */
  isManual: boolean;
  /** True when an execution waits for the result. */
  isAwaited: boolean;
  /** Milliseconds since 1970. */
  dueAtMs: number;
  failingSince: Date | null;
  target: DeliveryTarget;
  lease: Lease;
}

/** The columns of a delivery's own row. The endpoint and the lease have the others. */
export interface ClaimedRow extends Omit<
  ClaimedDelivery,
  'url' | 'failingSince' | 'target' | 'lease' | 'dueAtMs' | keyof Correlation
> {
  requestId?: string | null | undefined;
  traceparent?: string | null | undefined;
}

/** Field by field, because so many object spreads would cost more than the claim. */
export function claimedDelivery(
  row: ClaimedRow,
  target: DeliveryTarget,
  lease: Lease,
  dueAtMs: number,
): ClaimedDelivery {
  return {
    deliveryId: row.deliveryId,
    webhookId: row.webhookId,
    accountId: row.accountId,
    eventId: row.eventId,
    event: row.event,
    body: row.body,
    url: target.url,
    attempts: row.attempts,
    isManual: row.isManual,
    isAwaited: row.isAwaited,
    dueAtMs,
    failingSince: target.failingSince,
    requestId: row.requestId ?? undefined,
    traceparent: row.traceparent ?? undefined,
    target,
    lease,
  };
}
