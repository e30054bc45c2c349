import { type KeyObject, createHash, sign } from 'node:crypto';
import { type Json, type Receipt, canonicalJson, signedText } from '@plimsoll/receipts';

/** A receipt of any kind. */
export interface SignedContent<Content> extends Omit<Receipt, 'content'> {
  content: Content;
}

/** Signs the content of a receipt with an Ed25519 key. */
export function signReceipt<Content extends object>(
  content: Content,
  { id, signing }: { id: string; signing: KeyObject },
  nowMs: number,
): SignedContent<Content> {
  const hash = createHash('sha256')
    .update(canonicalJson(content as Json))
    .digest('hex');
  const value = sign(null, Buffer.from(signedText(hash, id, nowMs)), signing).toString('base64url');
  return { content, hash, signature: { keyId: id, signedAt: nowMs, value } };
}
