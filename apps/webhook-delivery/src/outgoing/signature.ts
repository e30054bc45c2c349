import { createHmac } from 'node:crypto';
import { secretBytes } from '../secrets/webhook-secret';

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
