import type { Correlation, WebhookEventType } from '@plimsoll/contracts';
import type { WebhookTarget } from '../endpoints/webhook-target';
import { ATTEMPT_DEADLINE_MS } from '../outgoing/exchange';

/** How long a claim holds: a wait for its turn, the deadline of an attempt, and time to write its result. */
export const LEASE_MS = ATTEMPT_DEADLINE_MS + 5_000;

/** What must be left of a lease when an attempt begins. */
const NEEDED_LEASE_MS = ATTEMPT_DEADLINE_MS + 2_000;

/** The hold of this process on what it claimed together. */
export interface Lease {
  /** UUID. */
  id: string;
  /** Milliseconds since 1970. */
  endsAtMs: number;
}

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

/** False when an attempt that begins now might outlive the lease, and another process begin a second one. */
export function outlastsAttempt({ endsAtMs }: Lease, nowMs: number): boolean {
  return endsAtMs - nowMs >= NEEDED_LEASE_MS;
}
