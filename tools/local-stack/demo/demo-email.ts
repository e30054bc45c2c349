import type { DemoTier } from '../settings/demo-tiers';

/** The address of the demo account of a tier. */
export const demoEmail = (tier: DemoTier): string => `demo-${tier}@plimsoll.local`;
