import type { Tier } from '@plimsoll/contracts';

/** The tiers of the demo accounts. */
export const DEMO_TIERS = ['open', 'pro', 'business', 'enterprise'] as const satisfies readonly Tier[];
export type DemoTier = (typeof DEMO_TIERS)[number];
