import type { Correlation, WebhookEventType } from '@plimsoll/contracts';
import type { WebhookTarget } from '../endpoints/webhook-target';
import type { Lease } from './lease';

/** An endpoint as its deliveries need it. */
export interface DeliveryTarget extends WebhookTarget {
  /** False: disabled, above the cap or deleted. */
  isOpen: boolean;
}

/**
 * A delivery that this process holds until its lease ends, with what its request needs. What was claimed together shares
 * its lease, and what goes to one endpoint its target.
 */
export interface ClaimedDelivery extends Correlation {
  deliveryId: string;
  webhookId: string;
  accountId: string;
  eventId: string;
  event: WebhookEventType;
  body: string;
  url: string;
  /** Made so far. */
  attempts: number;
  /** Retried by the account: no schedule follows. */
  isManual: boolean;
  /** An execution waits for its end. */
  isAwaited: boolean;
  /** Milliseconds since 1970. */
  dueAtMs: number;
  failingSince: Date | null;
  target: DeliveryTarget;
  lease: Lease;
}

/** What of a delivery its own row tells; the rest is its endpoint's and its lease's. */
export interface ClaimedRow extends Omit<
  ClaimedDelivery,
  'url' | 'failingSince' | 'target' | 'lease' | 'dueAtMs' | keyof Correlation
> {
  requestId?: string | null | undefined;
  traceparent?: string | null | undefined;
}

/** Field by field: spreads of so many would cost more than the claim. */
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
