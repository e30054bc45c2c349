import { hash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^psk_(live|demo|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export type ApiKeyKind = 'live' | 'demo' | 'test';

const checksum = (body: string): string => {
  const digest = hash('sha256', body, 'buffer');
  let text = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at += 1) text += ALPHABET.charAt(digest[at]! % 62);
  return text;
};

/**
 * Returns a new API key: `psk_live_`, `psk_demo_` or `psk_test_`, 32 random base62 characters, 6 checksum characters.
 * @param randomBytes source of randomness, for example crypto.randomBytes
 */
export function generateApiKey(kind: ApiKeyKind, randomBytes: (size: number) => Uint8Array): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    // Bytes of 248 and above are skipped, because modulo 62 they would favour the first letters.
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET.charAt(byte % 62);
    }
  }
  const body = `psk_${kind}_${secret}`;
  return body + checksum(body);
}

/** Returns true when form and checksum are valid. Other keys need no lookup. */
export function isWellFormedApiKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * Returns the stored form of a key: its SHA-256 as lower-case hex. 190 bits of randomness need no slow hash.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}
