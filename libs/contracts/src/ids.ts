import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 22;
/** What one division takes off: five characters, two pairs and one. */
const GROUP = 62 ** 5;
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

/** 16 bytes as 22 base62 characters, most significant first, padded with `0`; the order of ids is the order of bytes. */
export function base62(bytes: Uint8Array): string {
  // Long division of 16-bit digits by 62^5: what BigInt does in one line costs ten times as much, and every call has an id.
  const digits: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) digits.push((bytes[at]! << 8) | (bytes[at + 1] ?? 0));
  let text = '';
  let first = 0;
  while (text.length < ID_LENGTH) {
    let remainder = 0;
    for (let at = first; at < digits.length; at += 1) {
      const value = remainder * 65_536 + digits[at]!;
      const quotient = Math.floor(value / GROUP);
      digits[at] = quotient;
      remainder = value - quotient * GROUP;
    }
    while (digits[first] === 0) first += 1;
    const upper = Math.floor(remainder / PAIRS.length);
    const top = Math.floor(upper / PAIRS.length);
    text =
      ALPHABET.charAt(top) +
      PAIRS[upper - top * PAIRS.length]! +
      PAIRS[remainder - upper * PAIRS.length]! +
      text;
  }
  // The last group has room for more characters than 16 bytes have: they are zeros.
  return text.slice(-ID_LENGTH);
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
