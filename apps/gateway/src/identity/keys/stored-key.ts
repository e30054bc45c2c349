import { TIER_LIMITS, hashApiKey } from '@plimsoll/access';
import { type KeyItem, type KeyStatus, type KeyV1, type Tier, newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import type { Prisma } from '../../generated/prisma/client';
import { publish } from '../database/prisma';

/** Most test keys of an account that work at the same time. They do not count toward the tier's cap. */
export const MOST_TEST_KEYS = 10;

const HINT_LENGTH = 'psk_live_'.length + 4;

/** Columns of a key that may be shown. The key itself is never among them. */
export const SHOWN = {
  id: true,
  accountId: true,
  hint: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
  replacedById: true,
  testTier: true,
} satisfies Prisma.ApiKeySelect;
export type ShownKey = Prisma.ApiKeyGetPayload<{ select: typeof SHOWN }>;

/** Returns the stored columns of a key. */
export const keyColumns = (key: string) => ({
  id: newId('key'),
  keyHash: hashApiKey(key),
  hint: key.slice(0, HINT_LENGTH),
});

/** Working keys of the account and mode of key `k` that precede it under the cap. */
export const OLDER_KEYS = `
  (SELECT count(*)::int FROM api_keys older
    WHERE older.account_id = k.account_id AND (older.test_tier IS NULL) = (k.test_tier IS NULL)
      AND older.revoked_at IS NULL
      AND (older.expires_at IS NULL OR older.expires_at > now()) AND older.replaced_by_id IS NULL
      AND (older.held_since, older.id) < (k.held_since, k.id))`;

/**
 * Returns the status of a key.
 * @param olderKeys live keys of the account that precede it under the tier's cap
 */
export function keyStatus(
  { revokedAt, expiresAt, testTier }: Pick<ShownKey, 'revokedAt' | 'expiresAt' | 'testTier'>,
  olderKeys: number,
  tier: Tier,
  now: Date,
): KeyStatus {
  const cap = testTier === null ? TIER_LIMITS[tier].keys : MOST_TEST_KEYS;
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt <= now) return 'expired';
  return cap !== null && olderKeys >= cap ? 'disabled' : 'active';
}

export function toKeyItem(key: ShownKey, status: KeyStatus): KeyItem {
  return {
    id: key.id,
    hint: key.hint,
    name: key.name,
    scopes: key.scopes as KeyItem['scopes'],
    status,
    testTier: key.testTier as KeyItem['testTier'],
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedBy: key.replacedById,
  };
}

/** Publishes, with the transaction, the ends of keys for services that keep connections open. */
export function publishEndings(tx: Prisma.TransactionClient, keys: readonly ShownKey[]): Promise<void> {
  const events = keys.map(toKeyV1).filter(({ endsAt }) => endsAt !== null);
  return publish(
    tx,
    events.map((event) => outgoing('key.v1', event)),
  );
}

/** A rotated key ends with its overlap, or at its own time when that comes first. */
function toKeyV1({ id, accountId, revokedAt, expiresAt, replacedById }: ShownKey): KeyV1 {
  const endsAt = revokedAt ?? expiresAt;
  const ending = revokedAt ? 'revoked' : replacedById ? 'rotated' : 'expired';
  return { keyId: id, accountId, endsAt: endsAt && endsAt.toISOString(), ending: endsAt && ending };
}
