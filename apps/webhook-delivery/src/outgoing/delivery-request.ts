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
import { HIDDEN } from './response-headers';
import { secretBytes } from '../secrets/webhook-secret';

export const USER_AGENT = `Plimsoll-Webhooks/${version}`;

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
  const { eventId, url } = delivery;
  const body = Buffer.from(delivery.body);
  const timestampSeconds = secondsOf(nowMs);
  const standard = (secret: string): string => standardSignature(body, secret, eventId, timestampSeconds);
  const headers = headersOf(delivery, attempt, timestampSeconds, {
    userAgent: USER_AGENT,
    current: serviceSignature(body, current),
    next: next === null ? null : serviceSignature(body, next),
    standard: next === null ? standard(current) : `${standard(current)} ${standard(next)}`,
  });
  return { url, headers, body };
}

/** The parts of a request that do not follow from its delivery. */
interface Sender {
  userAgent: string;
  /** Signatures of the service. `next` is absent without an overlap. */
  current: string;
  next: string | null;
  standard: string;
}

/** Returns the headers of a request: name, value, name, value, … */
function headersOf(
  { deliveryId, eventId, event, requestId, traceparent }: Omit<SignableDelivery, 'url' | 'body'>,
  attempt: number,
  timestampSeconds: number,
  { userAgent, current, next, standard }: Sender,
): string[] {
  const headers = [
    'content-type',
    'application/json',
    'user-agent',
    userAgent,
    WEBHOOK_HEADERS.signature,
    current,
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
    standard,
  ];
  if (next !== null) headers.push(WEBHOOK_HEADERS.signatureNext, next);
  if (requestId !== undefined) headers.push(REQUEST_ID_HEADER, requestId);
  if (traceparent !== undefined) headers.push(TRACEPARENT_HEADER, traceparent);
  return headers;
}

const secondsOf = (ms: number): number => Math.floor(ms / 1_000);

/** An attempt that was sent. */
export interface SentAttempt {
  attempt: number;
  startedAtMs: number;
  userAgent: string;
  /** Secrets that signed it. */
  signatures: number;
}

/** Returns the headers of a request as it was sent, by name, without its signatures. */
export function sentHeaders(
  delivery: Omit<SignableDelivery, 'url' | 'body'>,
  { attempt, startedAtMs, userAgent, signatures }: SentAttempt,
): { name: string; value: string }[] {
  const hidden = { current: HIDDEN, next: signatures > 1 ? HIDDEN : null, standard: HIDDEN };
  const headers = headersOf(delivery, attempt, secondsOf(startedAtMs), { userAgent, ...hidden });
  return headers.flatMap((name, index) => (index % 2 === 0 ? { name, value: headers[index + 1]! } : []));
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
