import { createHash } from 'node:crypto';
import { v7 as uuidV7, parse as parseUuid } from 'uuid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 22;

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
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (; value > 0n; value /= 62n) text = ALPHABET.charAt(Number(value % 62n)) + text;
  return text.padStart(ID_LENGTH, ALPHABET.charAt(0));
}

/** A new record id: prefix, `_` and the 22 base62 characters of a UUIDv7, so that ids sort by the time they were made. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return `${prefix}_${base62(parseUuid(uuidV7()))}`;
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
