import {
  CanonicalText,
  type Json,
  type Receipt,
  canonicalJson,
  leafBytes,
  logEntry,
} from '@plimsoll/receipts';
import type { SigningKey } from './receipt-keys';
import { sha256 } from './sha-256';
import { signCanonical } from './sign-receipt';

/** A receipt that may be new. */
export interface NewReceipt {
  hash: string;
  signature: Receipt['signature'];
  /** Its canonical JSON. */
  body: string;
  /** Its leaf in the log. */
  leaf: Uint8Array;
}

/**
 * A signed receipt as it is stored. The text of its content is made once, because it is most of the work.
 * @param content or its canonical text
 * @param unsigned parts beside the content
 */
export function newReceipt(
  content: object | CanonicalText,
  key: SigningKey,
  nowMs: number,
  unsigned: Readonly<Record<string, Json>> = {},
): NewReceipt {
  const text = canonicalJson(content as Json | CanonicalText);
  const signed = signCanonical(text, key, nowMs);
  const body = canonicalJson({ ...unsigned, ...signed, content: new CanonicalText(text) });
  return { ...signed, body, leaf: sha256(leafBytes(Buffer.from(logEntry(signed)))) };
}
