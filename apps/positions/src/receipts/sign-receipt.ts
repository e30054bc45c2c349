import { createHash, sign } from 'node:crypto';
import {
  type Json,
  type LogRoot,
  type Receipt,
  type ReceiptContent,
  canonicalJson,
  signedRoot,
  signedText,
} from '@plimsoll/receipts';
import type { SigningKey } from './receipt-keys';

/** Signs the content of a receipt with an Ed25519 key. */
export function signReceipt(content: ReceiptContent, key: SigningKey, nowMs: number): Receipt {
  const hash = createHash('sha256')
    .update(canonicalJson(content as unknown as Json))
    .digest('hex');
  return { content, hash, signature: signatureOf(signedText(hash, key.id, nowMs), key, nowMs) };
}

/** Signs a root of the log. */
export function signRoot(size: number, rootHash: string, key: SigningKey, nowMs: number): LogRoot {
  return { size, rootHash, signature: signatureOf(signedRoot(size, rootHash, key.id, nowMs), key, nowMs) };
}

function signatureOf(text: string, { id, signing }: SigningKey, nowMs: number): Receipt['signature'] {
  return { keyId: id, signedAt: nowMs, value: sign(null, Buffer.from(text), signing).toString('base64url') };
}
