import type { Receipt } from '@plimsoll/receipts';
import { base64Url, utf8 } from './bytes';
import { Difference } from './steps';

/** A key of /.well-known/plimsoll-keys.json. */
export interface ReceiptKey {
  id: string;
  /** 32 bytes, base64url. */
  publicKey: string;
  /** Unix milliseconds of the first use. */
  fromMs: number;
  /** Unix milliseconds of the end. Null: none. */
  untilMs: number | null;
}

/** @throws Difference unless one of the keys signed the text while it was valid */
export async function checkSigned(
  text: string,
  { keyId, signedAt, value }: Receipt['signature'],
  keys: readonly ReceiptKey[],
): Promise<void> {
  const key = keys.find(({ id }) => id === keyId);
  if (!key) throw new Difference('key_unknown', keyId);
  if (signedAt < key.fromMs) throw new Difference('key_not_yet_valid', `${keyId} at ${signedAt}`);
  if (key.untilMs !== null && signedAt > key.untilMs)
    throw new Difference('key_expired', `${keyId} at ${signedAt}`);
  if (!(await isSignature(key.publicKey, value, text))) throw new Difference('signature_invalid', keyId);
}

/** False also for a published key that is none. */
async function isSignature(publicKey: string, signature: string, text: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', base64Url(publicKey), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, base64Url(signature), utf8(text));
  } catch {
    return false;
  }
}
