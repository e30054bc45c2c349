import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 22;

/** Prefixes of record ids (api-v1.md, Resources and their fields), and of accounts, keys, events and connections. */
export type IdPrefix =
  'pos' | 'alt' | 'wh' | 'rule' | 'exec' | 'wc' | 'del' | 'inc' | 'acc' | 'key' | 'evt' | 'con' | 'req';
export type Id<P extends IdPrefix> = `${P}_${string}`;

/** Digits taken by one division, and 62 to that power: small enough for exact arithmetic beside 16 more bits. */
const CHUNK_DIGITS = 5;
const CHUNK = 62 ** CHUNK_DIGITS;
/** Divisions until nothing is left of 128 bits. */
const CHUNKS = 5;

/** 16 bytes as 22 base62 characters, most significant first, padded with `0`; the order of ids is the order of bytes. */
export function base62(bytes: Uint8Array): string {
  const limbs = new Uint16Array(bytes.length / 2);
  for (let i = 0; i < limbs.length; i += 1) limbs[i] = (bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0);
  let text = '';
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    let rest = divide(limbs);
    for (let digit = 0; digit < CHUNK_DIGITS; digit += 1) {
      text = ALPHABET.charAt(rest % 62) + text;
      rest = Math.floor(rest / 62);
    }
  }
  return text.slice(-ID_LENGTH);
}

/** Divides a number of 16-bit limbs, most significant first, by CHUNK in place; returns the remainder. */
function divide(limbs: Uint16Array): number {
  let rest = 0;
  for (let i = 0; i < limbs.length; i += 1) {
    const value = rest * 65_536 + (limbs[i] ?? 0);
    const quotient = Math.floor(value / CHUNK);
    limbs[i] = quotient;
    rest = value - quotient * CHUNK;
  }
  return rest;
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
