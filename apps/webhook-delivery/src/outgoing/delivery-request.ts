import {
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
  WEBHOOK_HEADERS,
  type Correlation,
} from '@plimsoll/contracts';
import { version } from '../../../../package.json';
import type { OutgoingRequest } from './http-sender';
import { serviceSignature, standardSignature } from './signature';

const USER_AGENT = `Plimsoll-Webhooks/${version}`;

/** A delivery as its request needs it. */
export interface SignableDelivery extends Correlation {
  deliveryId: string;
  eventId: string;
  event: string;
  /** As stored: signed and sent byte for byte. */
  body: string;
  url: string;
}

/**
 * The request of one attempt (api-v1.md, Delivery 3; decisions.md, Webhook envelope).
 * @param attempt from 1
 * @param nowMs milliseconds since 1970
 */
export function deliveryRequest(
  delivery: SignableDelivery,
  secret: string,
  attempt: number,
  nowMs: number,
): OutgoingRequest {
  const { deliveryId, eventId, event, body, url, requestId, traceparent } = delivery;
  const timestampSeconds = Math.floor(nowMs / 1_000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    [WEBHOOK_HEADERS.signature]: serviceSignature(body, secret),
    [WEBHOOK_HEADERS.event]: event,
    [WEBHOOK_HEADERS.delivery]: deliveryId,
    [WEBHOOK_HEADERS.eventId]: eventId,
    [WEBHOOK_HEADERS.attempt]: String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature(body, secret, eventId, timestampSeconds),
    ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
    ...(traceparent !== undefined && { [TRACEPARENT_HEADER]: traceparent }),
  };
  return { url, headers, body };
}
