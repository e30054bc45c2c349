import type { RiskPosition } from './position';
import { healthFactor } from './totals';

/**
 * The position with its thresholds multiplied so that its health factor is the protocol's own figure. A
 * protocol that truncates its average threshold, or computes differently, differs from the sum over the legs.
 * Unchanged if either is 0 or without debt. Error: one rounding a leg.
 */
export function scaledToHealthFactor(position: RiskPosition, exact: number | null): RiskPosition {
  const summed = healthFactor(position);
  if (!exact || !summed) return position;
  const scale = exact / summed;
  return {
    collateral: position.collateral.map((leg) => ({
      ...leg,
      liquidationThreshold: leg.liquidationThreshold * scale,
    })),
    debt: position.debt,
  };
}
