import { BAND_EDGES_PERCENT, type PositionEMode, isStableAsset } from '@plimsoll/contracts';
import { type RiskPosition, healthFactor } from '@plimsoll/risk-math';
import type { Plan } from './plan';
import { planAdd, planAlert, planClose, planEMode, planRepay, planSpread, planSwap } from './plans';

const EDGES = BAND_EDGES_PERCENT.map(({ edge }) => edge / 100).toSorted((a, b) => b - a);
/** The lower edge of the band low, which is the target of suggestions. */
export const SAFE = EDGES[0]!;
/** Below this health factor, closing the position is suggested too. */
export const CRITICAL = 1.1;

/** Everything that can be suggested for a position, best first. Empty without debt. */
export function plansFor(position: RiskPosition, eModes: readonly PositionEMode[] = []): Plan[] {
  const now = healthFactor(position);
  if (now === null) return [];
  const isUnsafe = now < SAFE;
  return [
    isUnsafe ? planEMode(position, eModes) : null,
    isUnsafe ? planRepay(position, SAFE) : null,
    isUnsafe ? planAdd(position, SAFE) : null,
    isUnsafe ? planSwap(position, isStableAsset) : null,
    planSpread(position),
    now < CRITICAL ? planClose(position) : null,
    planAlert(position, EDGES),
  ].filter((plan) => plan !== null);
}
