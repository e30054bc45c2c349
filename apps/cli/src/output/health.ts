import type { Style } from './style';

export const HEALTH_WIDTH = 10;
/** Health factors above this fill the bar. */
const FULL = 2;

/** The bar of a health factor: empty at 1, where liquidation begins, and full from 2. */
export function healthBar(healthFactor: number | null): string {
  const share = healthFactor === null ? 1 : (healthFactor - 1) / (FULL - 1);
  const filled = Math.round(Math.min(1, Math.max(0, share)) * HEALTH_WIDTH);
  return '█'.repeat(filled) + '░'.repeat(HEALTH_WIDTH - filled);
}

/** Null: the position has no debt. */
export function healthText(healthFactor: number | null): string {
  if (healthFactor === null) return 'no debt';
  return healthFactor >= 1_000 ? '> 1000' : healthFactor.toFixed(healthFactor < 1.1 ? 4 : 2);
}

const COLOURS: Record<string, Style> = {
  none: 'green',
  low: 'green',
  moderate: 'yellow',
  high: 'yellow',
  critical: 'red',
  liquidatable: 'red',
};

export const colourOf = (level: string): Style => COLOURS[level] ?? 'plain';
