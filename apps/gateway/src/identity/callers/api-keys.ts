import { Injectable, Logger } from '@nestjs/common';
import { hashApiKey, isWellFormedApiKey } from '@plimsoll/access';
import { Problem } from '@plimsoll/contracts';
import type { Caller } from './caller';
import { CallerCache, withLookupDeadline } from './caller-cache';
import { KeyLookup } from './key-lookup';
import { AccountChanges } from '../changes/account-changes';

/** Changes are pushed. This bounds the effect of a lost push. */
const MAX_AGE_MS = 5_000;
/** The same while pushes may be lost. A revoked key works for less than a second longer. */
const MAX_AGE_UNSUBSCRIBED_MS = 800;

const INVALID = new Problem(
  'invalid_api_key',
  'This API key is unknown, revoked or expired. Check that it was copied whole, or create another.',
);
const UNAVAILABLE = new Problem(
  'upstream_unavailable',
  'API keys cannot be checked at the moment. Try again in a second.',
  {
    headers: { 'Retry-After': '1' },
  },
);

/** Finds the caller of a presented key. */
@Injectable()
export class ApiKeys {
  private readonly logger = new Logger('keys');
  private readonly cache: CallerCache;

  constructor(
    lookup: KeyLookup,
    private readonly changes: AccountChanges,
  ) {
    this.cache = new CallerCache((hash) => lookup.find(hash));
    changes.listen({
      changed: (accountId) => this.cache.forgetAccount(accountId),
      missed: () => this.cache.clear(),
    });
  }

  /**
   * Immediate for a cached key.
   * @returns the key, or the problem: unknown, revoked, expired, or not verifiable now
   */
  authenticate(key: string): Caller | Problem | Promise<Caller | Problem> {
    const maxAgeMs = this.changes.isLive() ? MAX_AGE_MS : MAX_AGE_UNSUBSCRIBED_MS;
    const hash = hashApiKey(key);
    const nowMs = performance.now();
    // A cached key was well formed, so its checksum need not be computed again.
    const known = this.cache.peek(hash, nowMs, maxAgeMs);
    if (known) return liveOrInvalid(known);
    if (!isWellFormedApiKey(key)) return INVALID;
    const found = this.cache.get(hash, nowMs, maxAgeMs);
    if (!(found instanceof Promise)) return liveOrInvalid(found);
    return withLookupDeadline(found).then(liveOrInvalid, (error: unknown) => {
      this.logger.error({ msg: 'a key lookup failed', err: error });
      return UNAVAILABLE;
    });
  }
}

function liveOrInvalid(record: Caller | null): Caller | Problem {
  const isExpired = record !== null && record.expiresAtMs !== null && record.expiresAtMs <= Date.now();
  return record === null || isExpired ? INVALID : record;
}

const HOW = 'Send your API key in x-api-key, or as Authorization: Bearer <key>.';

/**
 * Returns the API key of a request, read from its raw headers, because repeated headers must not hide a
 * second key.
 * @returns the key as sent, or the problem: none, or two different ones
 */
export function presentedKey(rawHeaders: readonly string[]): string | Problem {
  let found: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const key = keyIn(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    if (key === undefined || key === found) continue;
    if (found !== undefined) {
      return new Problem('invalid_api_key', `Two API keys were sent and they differ. ${HOW} Send one.`);
    }
    found = key;
  }
  return found ?? new Problem('missing_api_key', HOW);
}

function keyIn(name: string, value: string): string | undefined {
  if (name.length === 9 && name.toLowerCase() === 'x-api-key') return value.trim();
  if (name.length === 13 && name.toLowerCase() === 'authorization')
    return /^bearer +(\S+) *$/i.exec(value)?.[1];
  return undefined;
}
