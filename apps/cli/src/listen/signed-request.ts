import { createHmac, randomBytes } from 'node:crypto';

export interface SignedRequest {
  body: string;
  headers: Record<string, string>;
}

interface Event {
  event: string;
  eventId: string;
}

const PREFIX = 'whsec_';

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** Returns whether text is a signing secret. */
export const isSecret = (text: string): boolean =>
  text.startsWith(PREFIX) && Buffer.from(text.slice(PREFIX.length), 'base64').length > 0;

/** Signs a request with the headers of a webhook, in both schemes (docs/api/webhooks.md). */
export function signRequest(event: Event, body: string, secret: string, nowMs: number): SignedRequest {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text);
  const standardKey = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const standard = hmac(standardKey, `${event.eventId}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'plimsoll-cli',
      'x-service-event': event.event,
      'x-service-event-id': event.eventId,
      'x-service-attempt': '1',
      'x-service-signature': hmac(secret, body).digest('hex'),
      'webhook-id': event.eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${standard}`,
    },
  };
}
