import { formatChange, formatHealthFactor } from './format';

/** Levels of a position, from the safest to the worst. */
export const LEVELS = ['none', 'low', 'moderate', 'high', 'critical', 'liquidatable'] as const;
export type Level = (typeof LEVELS)[number];

/** The fall of all collateral that reaches liquidation, in percent. Null without a health factor, and once it is reached. */
export const fallToLiquidation = (healthFactor: number | null): number | null =>
  healthFactor === null || healthFactor < 1 ? null : (1 - 1 / healthFactor) * 100;

/** The fall to liquidation in words. */
export function fallText(healthFactor: number | null, hasDebt: boolean): string {
  const fall = fallToLiquidation(healthFactor);
  if (fall !== null) return formatChange(-fall);
  if (healthFactor !== null) return 'reached';
  return hasDebt ? 'never' : 'no debt';
}

/** A health factor, or why there is none. */
export function healthText(healthFactor: number | null, hasDebt: boolean): string {
  if (healthFactor !== null) return formatHealthFactor(healthFactor);
  return hasDebt ? 'none' : 'no debt';
}
