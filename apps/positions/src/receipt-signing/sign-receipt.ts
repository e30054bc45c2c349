import { sign } from 'node:crypto';
import {
  type Json,
  type LogRoot,
  type Receipt,
  canonicalJson,
  signedRoot,
  signedText,
} from '@plimsoll/receipts';
import type { SigningKey } from './receipt-keys';
import { sha256Hex } from './sha-256';

/** A receipt of any kind. */
export interface SignedContent<Content> extends Omit<Receipt, 'content'> {
  content: Content;
}

/** Signs the content of a receipt with an Ed25519 key. */
export function signReceipt<Content extends object>(
  content: Content,
  key: SigningKey,
  nowMs: number,
): SignedContent<Content> {
  return { content, ...signCanonical(canonicalJson(content as Json), key, nowMs) };
}

/** Signs a content by its canonical text. */
export function signCanonical(
  text: string,
  key: SigningKey,
  nowMs: number,
): Pick<Receipt, 'hash' | 'signature'> {
  const hash = sha256Hex(text);
  return { hash, signature: signatureOf(signedText(hash, key.id, nowMs), key, nowMs) };
}

/** Signs a root of the log. */
export function signRoot(size: number, rootHash: string, key: SigningKey, nowMs: number): LogRoot {
  return { size, rootHash, signature: signatureOf(signedRoot(size, rootHash, key.id, nowMs), key, nowMs) };
}

function signatureOf(text: string, { id, signing }: SigningKey, nowMs: number): Receipt['signature'] {
  return { keyId: id, signedAt: nowMs, value: sign(null, Buffer.from(text), signing).toString('base64url') };
}
