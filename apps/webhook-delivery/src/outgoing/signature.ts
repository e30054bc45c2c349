import { createHmac } from 'node:crypto';
import { secretBytes } from '../secrets/webhook-secret';

/** Lower-case hex HMAC-SHA256 of the raw body, keyed by the whole secret as UTF-8 (api-v1.md, Delivery 4). */
export function serviceSignature(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * `v1,<base64>` of Standard Webhooks: HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed by the bytes that the secret
 * encodes.
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
