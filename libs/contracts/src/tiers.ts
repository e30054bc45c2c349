/** Tiers in ascending order. Each includes every endpoint of the tiers before it. */
export const TIERS = ['open', 'pro', 'business', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** Returns true when `tier` includes endpoints that start at `lowest`. */
export function tierIncludes(tier: Tier, lowest: Tier): boolean {
  return TIERS.indexOf(tier) >= TIERS.indexOf(lowest);
}

/** Scopes that a key may have, in any combination. */
export const SCOPES = [
  'wallets:read',
  'wallets:write',
  'positions:read',
  'alerts:read',
  'alerts:write',
  'webhooks:read',
  'webhooks:write',
  'analytics:read',
] as const;
export type Scope = (typeof SCOPES)[number];
