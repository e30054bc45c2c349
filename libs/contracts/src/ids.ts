import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 22;
/** Characters that one division yields. */
const GROUP_LENGTH = 5;
const GROUP = 62 ** GROUP_LENGTH;

/** Prefixes of record ids (api-v1.md, Resources and their fields), and of accounts, keys, events, connections, sessions and audit entries. */
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
  | 'aud';
export type Id<P extends IdPrefix> = `${P}_${string}`;

/** 16 bytes as 22 base62 characters, most significant first, padded with `0`; the order of ids is the order of bytes. */
export function base62(bytes: Uint8Array): string {
  // Long division of 16-bit digits by 62^5: what BigInt does in one line costs ten times as much, and every call has an id.
  const digits: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) digits.push((bytes[at]! << 8) | (bytes[at + 1] ?? 0));
  let text = '';
  while (text.length < ID_LENGTH) {
    let remainder = 0;
    for (let at = 0; at < digits.length; at += 1) {
      const value = remainder * 65_536 + digits[at]!;
      digits[at] = Math.floor(value / GROUP);
      remainder = value % GROUP;
    }
    for (let i = 0; i < GROUP_LENGTH && text.length < ID_LENGTH; i += 1) {
      text = ALPHABET.charAt(remainder % 62) + text;
      remainder = Math.floor(remainder / 62);
    }
  }
  return text;
}

/** A new record id: prefix, `_` and the 22 base62 characters of a UUIDv7, so that ids sort by the time they were made. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return `${prefix}_${base62(uuidV7(undefined, new Uint8Array(16)))}`;
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
