import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Divisor of one step: four characters, two pairs. */
const GROUP = 62 ** 4;
const GROUPS = 5;
const PAIRS = Array.from(ALPHABET, (first) => Array.from(ALPHABET, (second) => first + second)).flat();

/**
 * Prefixes of record ids, and of assets in markets, accounts, authorisations, keys, events, connections, sessions, audit
 * entries, activities, AI questions and keys of receipts.
 */
export type IdPrefix =
  | 'pos'
  | 'alt'
  | 'wh'
  | 'rule'
  | 'exec'
  | 'aut'
  | 'wc'
  | 'wgr'
  | 'imp'
  | 'mkt'
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
  | 'ans'
  | 'rck';
export type Id<P extends IdPrefix> = `${P}_${string}`;

/** 24-bit digits. The array is reused, because each id is finished before the next one begins. */
const DIGITS = new Float64Array(6);

/**
 * Returns 16 bytes as 22 base62 characters, most significant first, padded with `0`. Ids sort like their
 * bytes.
 */
export function base62(bytes: Uint8Array): string {
  // Long division of 24-bit digits by 62^4. BigInt would need one line but twenty times the time, and every
  // request has an id.
  DIGITS[0] = bytes[0]!;
  for (let digit = 1; digit < DIGITS.length; digit += 1) {
    const at = digit * 3 - 2;
    DIGITS[digit] = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  }
  let text = '';
  for (let first = 0; first < GROUPS; first += 1) {
    let remainder = 0;
    // Each division removes nearly 24 bits, and the first digit has only 8. The earlier digits are therefore
    // zero.
    for (let at = first; at < DIGITS.length; at += 1) {
      const value = remainder * 16_777_216 + DIGITS[at]!;
      const quotient = Math.floor(value / GROUP);
      DIGITS[at] = quotient;
      remainder = value - quotient * GROUP;
    }
    const upper = Math.floor(remainder / PAIRS.length);
    text = PAIRS[upper]! + PAIRS[remainder - upper * PAIRS.length]! + text;
  }
  // Twenty characters are written. The rest is below 62^2.
  return PAIRS[DIGITS[DIGITS.length - 1]!]! + text;
}

/** After the prefix of the ids of test mode, so that no id of test mode equals a live one. */
const TEST = 'test_';
/** The part of an id after its prefix, as a regular expression. */
export const ID_FORM = `(${TEST})?[0-9A-Za-z]{22}`;
const ID = new RegExp(`^${ID_FORM}$`);

let mode: '' | typeof TEST = '';

/** Makes every later id of this process one of test mode. A process serves one mode for its whole life. */
export function useTestIds(): void {
  mode = TEST;
}

/** Whether an account owns test data. */
export function isTestAccount(accountId: string): boolean {
  return accountId.startsWith(`acc_${TEST}`);
}

/** The account that owns the test data of an account. */
export function testAccountId(accountId: string): Id<'acc'> {
  const digest = createHash('sha256').update(`test|${accountId}`).digest();
  return `acc_${TEST}${base62(digest.subarray(0, 16))}`;
}

/** The array is reused, because each id is finished before the next one begins. */
const NEW_ID = new Uint8Array(16);

/**
 * Returns a new record id: prefix, `_`, in test mode `test_`, and the 22 base62 characters of a UUIDv7. Ids sort by
 * creation time.
 */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return `${prefix}_${mode}${base62(uuidV7(undefined, NEW_ID))}`;
}

/**
 * Largest difference between the time in an id and the creation time of its row in a busy process, and between the
 * clocks of instances.
 */
const SLACK_MS = 60_000;
const TIME_BYTES = 6;

/**
 * Returns an id below every new id of the prefix that belongs to a row created at this time or later. Ids sort by
 * creation time, so an index on ids also serves queries by time. The row's own time decides within the slack.
 */
export function firstIdAt<P extends IdPrefix>(prefix: P, atMs: number): Id<P> {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, atMs - SLACK_MS), 0, TIME_BYTES);
  return `${prefix}_${mode}${base62(bytes)}`;
}

/**
 * Returns true for prefix, `_`, in test mode `test_`, and 22 base62 characters. It does not check that the record exists.
 */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return text.startsWith(`${prefix}_`) && ID.test(text.slice(prefix.length + 1));
}

/**
 * Returns an id that depends only on its parts: the first 16 bytes of SHA-256 over the parts joined by `|`.
 */
export function derivedId<P extends IdPrefix>(prefix: P, ...parts: readonly (string | number)[]): Id<P> {
  return `${prefix}_${mode}${base62(createHash('sha256').update(parts.join('|')).digest().subarray(0, 16))}`;
}

/** The permanent identity of a position. `subId` is empty where a protocol has one position per wallet. */
export interface PositionKey {
  protocol: string;
  chainId: number;
  market: string;
  subId: string;
  wallet: string;
}

/** Returns the id of a position. It is the same on every instance and after every restart. */
export function positionId(key: PositionKey): Id<'pos'> {
  const parts = [key.protocol, key.chainId, key.market, key.subId, key.wallet];
  return derivedId('pos', ...parts.map((part) => String(part).toLowerCase()));
}
