import { TIERS, type Tier } from '@plimsoll/contracts';

/** Caps of a tier. Null means no limit. */
export interface TierLimits {
  requestsPerMinute: number;
  requestsPerDay: number | null;
  keys: number | null;
  webhooks: number | null;
  /** Watched wallets. */
  wallets: number | null;
  /** Wallets in one GET /v1/positions. */
  walletsPerQuery: number;
  /** Paths of one POST /v1/simulate/monte-carlo. */
  iterations: number;
  /** Results of one POST /v1/simulate/portfolio: positions times scenarios. 0 where the tier has no such endpoint. */
  portfolioResults: number;
  /** Days back in one GET /v1/analytics/historical. 0 where the tier has no such endpoint. */
  historyDays: number;
}

/** Enterprise limits are set per account. These are the defaults. */
export const TIER_LIMITS: Readonly<Record<Tier, TierLimits>> = {
  open: {
    requestsPerMinute: 10,
    requestsPerDay: 1_000,
    keys: 1,
    webhooks: 0,
    wallets: 3,
    walletsPerQuery: 3,
    iterations: 0,
    portfolioResults: 0,
    historyDays: 0,
  },
  pro: {
    requestsPerMinute: 60,
    requestsPerDay: 100_000,
    keys: 5,
    webhooks: 5,
    wallets: 25,
    walletsPerQuery: 100,
    iterations: 1_000,
    portfolioResults: 0,
    historyDays: 0,
  },
  business: {
    requestsPerMinute: 300,
    requestsPerDay: 1_000_000,
    keys: 20,
    webhooks: 20,
    wallets: 500,
    walletsPerQuery: 100,
    iterations: 5_000,
    portfolioResults: 2_000,
    historyDays: 90,
  },
  enterprise: {
    requestsPerMinute: 1_000,
    requestsPerDay: null,
    keys: null,
    webhooks: null,
    wallets: null,
    walletsPerQuery: 100,
    iterations: 100_000,
    portfolioResults: 10_000,
    historyDays: 365,
  },
};

/** Returns the lowest tier that permits more keys, webhooks or wallets than this one, or undefined. */
export function tierWithMore(tier: Tier, what: 'keys' | 'webhooks' | 'wallets'): Tier | undefined {
  const most = (each: Tier): number => TIER_LIMITS[each][what] ?? Infinity;
  return TIERS.find((higher) => most(higher) > most(tier));
}
