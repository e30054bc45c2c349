import { TIER_LIMITS } from '@plimsoll/access';
import type { Scope, Tier } from '@plimsoll/contracts';
import { type Figures, type Subject, windowOffsetMs } from '../../limits/verdict';

/** The data of a live key that the gateway needs for its decision. */
export interface Caller {
  /** The id of the session when the request has no key. */
  keyId: string;
  accountId: string;
  tier: Tier;
  scopes: readonly Scope[];
  /** When the password of a session was last sent. Null for a key. */
  authenticatedAt: Date | null;
  /** Milliseconds since 1970. Null: never. */
  expiresAtMs: number | null;
  /** True when the account has more keys than its tier allows and this is one of the newest. */
  isAboveCap: boolean;
  subject: Subject;
  figures: Figures;
}

/** A row of the lookup. */
export interface CallerRow {
  key_hash: string;
  id: string;
  account_id: string;
  tier: Tier;
  requests_per_minute: number | null;
  scopes: Scope[];
  expires_at: Date | null;
  /** Live keys of the account that precede it. A rotated key has passed on its place. */
  older_keys: number;
}

export function toCaller(row: CallerRow): Caller {
  const limits = TIER_LIMITS[row.tier];
  const subjectId = `account:${row.account_id}`;
  return {
    keyId: row.id,
    accountId: row.account_id,
    tier: row.tier,
    scopes: row.scopes,
    authenticatedAt: null,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    isAboveCap: limits.keys !== null && row.older_keys >= limits.keys,
    subject: { id: subjectId, offsetMs: windowOffsetMs(subjectId) },
    figures: {
      perMinute: row.requests_per_minute ?? limits.requestsPerMinute,
      perDay: limits.requestsPerDay,
    },
  };
}
