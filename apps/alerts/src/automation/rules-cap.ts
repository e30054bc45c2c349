import type { Tier } from '@plimsoll/contracts';

const CAPS: Readonly<Record<Tier, number>> = { open: 0, pro: 0, business: 100, enterprise: 1_000 };

/** Most automation rules of an account, by tier (docs/decisions/0008-rules-and-drops.md). */
export function rulesCap(tier: Tier): number {
  return CAPS[tier];
}
