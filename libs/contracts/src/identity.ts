import type { Scope, Tier } from './tiers';

/**
 * Header in which the gateway passes the caller to a service. The gateway removes it from external requests.
 */
export const IDENTITY_HEADER = 'x-plimsoll-identity';

/** Seconds for which a signed identity is valid. */
export const IDENTITY_MAX_AGE_SECONDS = 30;

/** The caller, as the gateway established it. */
export interface Identity {
  accountId: string;
  /**
   * `key_…` of the API key, `ses_…` of the session of a signed-in browser, or `service` for background
   * requests of a service.
   */
  keyId: string;
  tier: Tier;
  scopes: readonly Scope[];
  /** Caps of this account that services enforce. Null means no limit. */
  limits: { wallets: number | null; webhooks: number | null };
  requestId: string;
  /** Unix seconds of the signature. */
  issuedAt: number;
}
