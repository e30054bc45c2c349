import { type KeyObject, createHash, sign } from 'node:crypto';
import { type Json, type Receipt, type ReceiptContent, canonicalJson, signedText } from '@plimsoll/receipts';

/** Signs the content of a receipt with an Ed25519 key. */
export function signReceipt(
  content: ReceiptContent,
  { id, signing }: { id: string; signing: KeyObject },
  nowMs: number,
): Receipt {
  const hash = createHash('sha256')
    .update(canonicalJson(content as unknown as Json))
    .digest('hex');
  const value = sign(null, Buffer.from(signedText(hash, id, nowMs)), signing).toString('base64url');
  return { content, hash, signature: { keyId: id, signedAt: nowMs, value } };
}
