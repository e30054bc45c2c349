import { type Json, type Receipt, canonicalJson, leafBytes, logEntry } from '@plimsoll/receipts';
import { sha256 } from './sha-256';

/** A receipt that may be new. */
export interface NewReceipt {
  hash: string;
  /** Its canonical JSON. */
  body: string;
  /** Its leaf in the log. */
  leaf: Uint8Array;
}

/** A signed receipt as it is stored. */
export function newReceipt(signed: Pick<Receipt, 'hash' | 'signature'>): NewReceipt {
  const body = canonicalJson(signed as unknown as Json);
  return { hash: signed.hash, body, leaf: sha256(leafBytes(Buffer.from(logEntry(signed)))) };
}
