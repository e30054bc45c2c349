import { TIER_LIMITS } from '@plimsoll/access';
import type { AccountV1, Tier } from '@plimsoll/contracts';

export interface Account {
  id: string;
  email: string;
  tier: Tier;
  /** Set for an enterprise account; null takes the tier's figure. */
  requestsPerMinute: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What an account may do: its tier's caps, and its own figure where it has one. */
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

/** The event that tells the other services of an account. */
export function toAccountV1({ id, tier, requestsPerMinute, updatedAt }: Account): AccountV1 {
  return {
    accountId: id,
    tier,
    limits: accountLimits(tier, requestsPerMinute),
    updatedAt: updatedAt.toISOString(),
  };
}
