import { Injectable, Logger } from '@nestjs/common';
import { hashApiKey, isWellFormedApiKey } from '@plimsoll/access';
import { Problem } from '@plimsoll/contracts';
import { AccountChanges } from '../changes/account-changes';
import type { ApiKeyRecord } from './api-key-record';
import { KeyCache } from './key-cache';
import { KeyLookup } from './key-lookup';
import { withLookupDeadline } from './lookup-deadline';

/** Changes are pushed. This bounds the effect of a lost push. */
const MAX_AGE_MS = 5_000;
/** The same while pushes may be lost. A revoked key works for less than a second longer. */
const MAX_AGE_UNHEARD_MS = 800;

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
  private readonly cache: KeyCache;

  constructor(
    lookup: KeyLookup,
    private readonly changes: AccountChanges,
  ) {
    this.cache = new KeyCache((hash) => lookup.find(hash));
    changes.listen({
      changed: (accountId) => this.cache.forgetAccount(accountId),
      missed: () => this.cache.clear(),
    });
  }

  /**
   * Immediate for a cached key.
   * @returns the key, or the problem: unknown, revoked, expired, or not verifiable now
   */
  authenticate(key: string): ApiKeyRecord | Problem | Promise<ApiKeyRecord | Problem> {
    const maxAgeMs = this.changes.isLive() ? MAX_AGE_MS : MAX_AGE_UNHEARD_MS;
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

function liveOrInvalid(record: ApiKeyRecord | null): ApiKeyRecord | Problem {
  const isExpired = record !== null && record.expiresAtMs !== null && record.expiresAtMs <= Date.now();
  return record === null || isExpired ? INVALID : record;
}
