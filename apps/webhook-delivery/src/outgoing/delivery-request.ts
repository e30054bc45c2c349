import { createHmac } from 'node:crypto';
import {
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
  WEBHOOK_HEADERS,
  type Correlation,
} from '@plimsoll/contracts';
import { version } from '../../../../package.json';
import type { SigningSecrets } from '../secrets/signing-secrets';
import type { OutgoingRequest } from './http-sender';
import { secretBytes } from '../secrets/webhook-secret';

const USER_AGENT = `Plimsoll-Webhooks/${version}`;

/** The data of a delivery that its request needs. */
export interface SignableDelivery extends Correlation {
  deliveryId: string;
  eventId: string;
  event: string;
  /** The stored body, signed and sent byte for byte. */
  body: string;
  url: string;
}

/**
 * Returns the request of one attempt. While two secrets are valid, the service's signature uses the current
 * one, and receivers of either find theirs.
 * @param attempt from 1
 * @param nowMs milliseconds since 1970
 */
export function deliveryRequest(
  delivery: SignableDelivery,
  { current, next }: SigningSecrets,
  attempt: number,
  nowMs: number,
): OutgoingRequest {
  const { deliveryId, eventId, event, url, requestId, traceparent } = delivery;
  const body = Buffer.from(delivery.body);
  const timestampSeconds = Math.floor(nowMs / 1_000);
  const standard = (secret: string): string => standardSignature(body, secret, eventId, timestampSeconds);
  const headers = [
    'content-type',
    'application/json',
    'user-agent',
    USER_AGENT,
    WEBHOOK_HEADERS.signature,
    serviceSignature(body, current),
    WEBHOOK_HEADERS.event,
    event,
    WEBHOOK_HEADERS.delivery,
    deliveryId,
    WEBHOOK_HEADERS.eventId,
    eventId,
    WEBHOOK_HEADERS.attempt,
    String(attempt),
    'webhook-id',
    eventId,
    'webhook-timestamp',
    String(timestampSeconds),
    'webhook-signature',
    next === null ? standard(current) : `${standard(current)} ${standard(next)}`,
  ];
  if (next !== null) headers.push(WEBHOOK_HEADERS.signatureNext, serviceSignature(body, next));
  if (requestId !== undefined) headers.push(REQUEST_ID_HEADER, requestId);
  if (traceparent !== undefined) headers.push(TRACEPARENT_HEADER, traceparent);
  return { url, headers, body };
}

/** Returns the lower-case hex HMAC-SHA256 of the raw body, with the complete secret as UTF-8 key. */
export function serviceSignature(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * Returns `v1,<base64>` of Standard Webhooks: HMAC-SHA256 over `<id>.<timestamp>.<body>`, with the decoded
 * secret as key.
 * @param timestampSeconds Unix seconds of the attempt
 */
export function standardSignature(
  body: Buffer,
  secret: string,
  id: string,
  timestampSeconds: number,
): string {
  const signed = createHmac('sha256', secretBytes(secret)).update(`${id}.${timestampSeconds}.`).update(body);
  return `v1,${signed.digest('base64')}`;
}
