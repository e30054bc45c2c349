import type { DeliveryV1, Severity } from '@plimsoll/contracts';
import type { AlertText } from '../../lifecycle/alert';

/** A delivery fails after this many attempts. See docs/api/webhooks.md#retry-schedule. */
const ATTEMPTS = 5;

/** Returns the text for an alert whose endpoint was deleted. */
export function deletedText(webhookId: string): AlertText {
  return {
    title: `Webhook endpoint ${webhookId} was deleted`,
    message: 'It receives no more events.',
  };
}

/** How a delivery changes the alert about its endpoint. */
export type EndpointChange =
  { kind: 'open'; severity: Severity; text: AlertText } | { kind: 'resolve'; text: AlertText };

/**
 * Returns the change of an endpoint's alert after a delivery, or null.
 * @param active severity of the active alert; null: none
 */
export function endpointChange(delivery: DeliveryV1, active: Severity | null): EndpointChange | null {
  const { webhookId, state, attempt, webhookDisabled, statusCode } = delivery;
  if (webhookDisabled !== undefined) {
    if (active === 'high') return null;
    const why = {
      gone: 'It returned 410 Gone.',
      failing: 'Every delivery to it has failed for five days.',
    }[webhookDisabled];
    const text = {
      title: `Webhook endpoint ${webhookId} is disabled`,
      message: `${why} Events are kept meanwhile. Fix the endpoint, enable it with PATCH /v1/webhooks/${webhookId}, and recover the skipped deliveries.`,
    };
    return { kind: 'open', severity: 'high', text };
  }
  if (state === 'failed' && attempt >= ATTEMPTS && active === null) {
    const response = statusCode === null ? 'no response arrived' : `the last response was ${statusCode}`;
    const text = {
      title: `Deliveries to webhook endpoint ${webhookId} fail`,
      message: `A delivery failed after ${attempt} attempts; ${response}. The endpoint is disabled when all deliveries fail for five days, so fix it and retry the delivery.`,
    };
    return { kind: 'open', severity: 'medium', text };
  }
  if (state === 'delivered' && active !== null) {
    const text = {
      title: `Webhook endpoint ${webhookId} works again`,
      message: 'A delivery arrived.',
    };
    return { kind: 'resolve', text };
  }
  return null;
}
