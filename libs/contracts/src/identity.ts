import type { Scope, Tier } from './tiers';

/**
 * Header with the signed caller of a request. The gateway removes every header of this form from external
 * requests.
 */
export const IDENTITY_HEADER = 'x-plimsoll-identity';

/** Header with the proof of the calling process for one request. */
export const CALL_HEADER = 'x-plimsoll-call';

/** Seconds for which a signed identity and the proof of a request are valid. */
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
  /** Of the request. It is not part of the signature. */
  requestId: string;
  /** Unix seconds of the signature. */
  issuedAt: number;
}
