import {
  type RiskPosition,
  healthFactor,
  positionTotals,
  volatileDistancePercent,
} from '@plimsoll/risk-math';
import type { Aim } from './plan';

/**
 * The tolerance between a figure and its target, in the unit of the target. For amounts and percent it is a
 * share.
 */
const TOLERANCE = 1e-6;

/** The position's value of the figure that a plan targets. Null: it has none. */
export function aimed(
  { kind }: Aim,
  position: RiskPosition,
  isStable: (asset: string) => boolean,
): number | null {
  const { totalDebtUsd } = positionTotals(position);
  switch (kind) {
    case 'health_factor':
      return healthFactor(position);
    case 'distance':
      return volatileDistancePercent(position, isStable);
    case 'debt':
      return totalDebtUsd;
    case 'debt_share': {
      const byAsset = new Map<string, number>();
      for (const { asset, amount, priceUsd } of position.debt)
        byAsset.set(asset, (byAsset.get(asset) ?? 0) + amount * priceUsd);
      return totalDebtUsd === 0 ? null : Math.max(...byAsset.values()) / totalDebtUsd;
    }
  }
}

/** Whether a changed position reaches the target of its plan. */
export function isReached(aim: Aim, position: RiskPosition, isStable: (asset: string) => boolean): boolean {
  const is = aimed(aim, position, isStable);
  return is !== null && Math.abs(is - aim.value) <= TOLERANCE * Math.max(1, Math.abs(aim.value));
}
