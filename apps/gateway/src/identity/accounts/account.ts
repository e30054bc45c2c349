import { TIER_LIMITS } from '@plimsoll/access';
import type { AccountV1, Tier } from '@plimsoll/contracts';

export interface Account {
  id: string;
  email: string;
  tier: Tier;
  /** Set for an enterprise account. Null means the tier's limit. */
  requestsPerMinute: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns the limits of an account: its tier's caps, and its own rate if it has one. */
export function accountLimits(tier: Tier, requestsPerMinute: number | null): AccountV1['limits'] {
  const limits = TIER_LIMITS[tier];
  return {
    requestsPerMinute: requestsPerMinute ?? limits.requestsPerMinute,
    requestsPerDay: limits.requestsPerDay,
    keys: limits.keys,
    webhooks: limits.webhooks,
    wallets: limits.wallets,
  };
}

/** Returns the account.v1 event of an account. */
export function toAccountV1({ id, tier, requestsPerMinute, updatedAt }: Account): AccountV1 {
  return {
    accountId: id,
    tier,
    limits: accountLimits(tier, requestsPerMinute),
    updatedAt: updatedAt.toISOString(),
  };
}
