/** Tiers in ascending order; each includes every endpoint of the ones before it (api-v1.md, What the service does). */
export const TIERS = ['open', 'pro', 'business', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** True when `tier` may call what is offered from `lowest` on. */
export function tierIncludes(tier: Tier, lowest: Tier): boolean {
  return TIERS.indexOf(tier) >= TIERS.indexOf(lowest);
}

/** Scope names a key may hold, in any combination (api-v1.md, Authentication 4). */
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
