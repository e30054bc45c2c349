import type { Scope, Tier } from './tiers';

/** Header in which the gateway hands a service who calls; never accepted from outside (contracts.md, Identity). */
export const IDENTITY_HEADER = 'x-plimsoll-identity';

/** Seconds for which a signed identity is good (contracts.md, Identity). */
export const IDENTITY_MAX_AGE_SECONDS = 30;

/** Who calls, as the gateway established it. */
export interface Identity {
  accountId: string;
  /** `key_…` of the API key used; `session` for a signed-in browser; `service` for a service's own background calls. */
  keyId: string;
  tier: Tier;
  scopes: readonly Scope[];
  /** Caps of this account that services check; null is no limit. */
  limits: { wallets: number | null; webhooks: number | null };
  requestId: string;
  /** Unix seconds at which it was signed. */
  issuedAt: number;
}
