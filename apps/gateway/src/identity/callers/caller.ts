import { TIER_LIMITS } from '@plimsoll/access';
import { type Scope, type Tier, testAccountId } from '@plimsoll/contracts';
import { MOST_TEST_KEYS } from '../keys/stored-key';
import { type Figures, type Subject, windowOffsetMs } from '../../limits/verdict';

/** The data of a live key that the gateway needs for its decision. */
export interface Caller {
  /** The id of the session when the request has no key. */
  keyId: string;
  /** For a test key, the account of test mode. */
  accountId: string;
  /** The account that owns a test key. Absent: the caller is live. */
  testOf?: string;
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
  /** Null: a live key. */
  test_tier: Tier | null;
  requests_per_minute: number | null;
  scopes: Scope[];
  expires_at: Date | null;
  /** Live keys of the account that precede it. A rotated key has passed on its place. */
  older_keys: number;
}

export function toCaller(row: CallerRow): Caller {
  const { test_tier: testTier } = row;
  const tier = testTier ?? row.tier;
  const limits = TIER_LIMITS[tier];
  const accountId = testTier ? testAccountId(row.account_id) : row.account_id;
  const subjectId = `account:${accountId}`;
  const mostKeys = testTier ? MOST_TEST_KEYS : limits.keys;
  return {
    keyId: row.id,
    accountId,
    ...(testTier && { testOf: row.account_id }),
    tier,
    scopes: row.scopes,
    authenticatedAt: null,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    isAboveCap: mostKeys !== null && row.older_keys >= mostKeys,
    subject: { id: subjectId, offsetMs: windowOffsetMs(subjectId) },
    figures: {
      perMinute: (testTier ? null : row.requests_per_minute) ?? limits.requestsPerMinute,
      perDay: limits.requestsPerDay,
    },
  };
}
