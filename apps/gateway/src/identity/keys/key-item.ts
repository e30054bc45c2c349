import { TIER_LIMITS } from '@plimsoll/access';
import type { KeyItem, KeyStatus, Tier } from '@plimsoll/contracts';
import type { ShownKey } from './account-keys';

/**
 * Returns the status of a key.
 * @param olderKeys live keys of the account that precede it under the tier's cap
 */
export function keyStatus(
  { revokedAt, expiresAt }: Pick<ShownKey, 'revokedAt' | 'expiresAt'>,
  olderKeys: number,
  tier: Tier,
  now: Date,
): KeyStatus {
  const { keys: cap } = TIER_LIMITS[tier];
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
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedBy: key.replacedById,
  };
}
