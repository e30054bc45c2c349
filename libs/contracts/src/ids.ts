import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** What one division takes off: four characters, two pairs. */
const GROUP = 62 ** 4;
const GROUPS = 5;
const PAIRS = Array.from(ALPHABET, (first) => Array.from(ALPHABET, (second) => first + second)).flat();

/** Prefixes of record ids (api-v1.md, Resources and their fields), and of accounts, keys, events, connections, sessions, audit entries, activities and AI answers. */
export type IdPrefix =
  | 'pos'
  | 'alt'
  | 'wh'
  | 'rule'
  | 'exec'
  | 'wc'
  | 'del'
  | 'inc'
  | 'grp'
  | 'acc'
  | 'key'
  | 'evt'
  | 'con'
  | 'req'
  | 'ses'
  | 'aud'
  | 'act'
  | 'ans';
export type Id<P extends IdPrefix> = `${P}_${string}`;

/** Of 24 bits; an id is made in one go, and then they are of no use. */
const DIGITS = new Float64Array(6);

/** 16 bytes as 22 base62 characters, most significant first, padded with `0`; the order of ids is the order of bytes. */
export function base62(bytes: Uint8Array): string {
  // Long division of 24-bit digits by 62^4: what BigInt does in one line costs twenty times as much, and every call has an id.
  DIGITS[0] = bytes[0]!;
  for (let digit = 1; digit < DIGITS.length; digit += 1) {
    const at = digit * 3 - 2;
    DIGITS[digit] = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  }
  let text = '';
  for (let first = 0; first < GROUPS; first += 1) {
    let remainder = 0;
    // Each division takes off nearly 24 bits, and the first digit has but 8: the digits before are zeros by then.
    for (let at = first; at < DIGITS.length; at += 1) {
      const value = remainder * 16_777_216 + DIGITS[at]!;
      const quotient = Math.floor(value / GROUP);
      DIGITS[at] = quotient;
      remainder = value - quotient * GROUP;
    }
    const upper = Math.floor(remainder / PAIRS.length);
    text = PAIRS[upper]! + PAIRS[remainder - upper * PAIRS.length]! + text;
  }
  // Twenty characters are off: what is left is below 62^2.
  return PAIRS[DIGITS[DIGITS.length - 1]!]! + text;
}

/** Every id is made from its bytes at once, and then they are of no use. */
const NEW_ID = new Uint8Array(16);

/** A new record id: prefix, `_` and the 22 base62 characters of a UUIDv7, so that ids sort by the time they were made. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return `${prefix}_${base62(uuidV7(undefined, NEW_ID))}`;
}

/** True for prefix, `_` and 22 base62 characters; says nothing about whether the record exists. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{22}$/.test(text.slice(prefix.length + 1));
}

/** An id that follows from its parts alone: the first 16 bytes of SHA-256 over the parts joined by `|`. */
export function derivedId<P extends IdPrefix>(prefix: P, ...parts: readonly (string | number)[]): Id<P> {
  return `${prefix}_${base62(createHash('sha256').update(parts.join('|')).digest().subarray(0, 16))}`;
}

/** What identifies a position for ever (contracts.md, Ids). `subId` is empty where a protocol has one position a wallet. */
export interface PositionKey {
  protocol: string;
  chainId: number;
  market: string;
  subId: string;
  wallet: string;
}

/** The same position has the same id on every instance and after any restart (contracts.md, Ids). */
export function positionId(key: PositionKey): Id<'pos'> {
  const parts = [key.protocol, key.chainId, key.market, key.subId, key.wallet];
  return derivedId('pos', ...parts.map((part) => String(part).toLowerCase()));
}
