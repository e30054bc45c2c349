import {
  type RiskPosition,
  healthFactor,
  positionTotals,
  volatileDistancePercent,
} from '@plimsoll/risk-math';
import type { Aim } from './plan';

/** How far a figure may be from its aim, in the unit of the aim; of amounts and percent as a share of it. */
const TOLERANCE = 1e-6;

/** The position's value of the figure that a plan aims at. Null: it has none. */
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

/** Whether a changed position is where its plan aims. */
export function isReached(aim: Aim, position: RiskPosition, isStable: (asset: string) => boolean): boolean {
  const is = aimed(aim, position, isStable);
  return is !== null && Math.abs(is - aim.value) <= TOLERANCE * Math.max(1, Math.abs(aim.value));
}
