import { priceSymbol } from '@plimsoll/contracts';
import type { Position } from './market';

/**
 * Figures of a position, computed from its legs by the formulas of docs/model.md, independently of the
 * service.
 */

type Leg = NonNullable<Position['collateralAssets']>[number];

const legs = (list: Leg[] | undefined): Leg[] => list ?? [];
const threshold = (leg: Leg): number =>
  leg.usedAsCollateral ? (leg.liquidationThresholdBps ?? 0) / 10_000 : 0;

/** W, with the contract's own health factor: Σ over the legs differs from it by the contract's truncation. */
function weights(position: Position): { scale: number; debt: number } {
  const summed = legs(position.collateralAssets).reduce((sum, leg) => sum + leg.usdValue * threshold(leg), 0);
  const debt = legs(position.debtAssets).reduce((sum, leg) => sum + leg.usdValue, 0);
  return { scale: ((position.healthFactor ?? 0) * debt) / summed, debt };
}

/** P* = (D − W of all others) / (amount · threshold). */
export function liquidationPrice(position: Position, symbol: string): number {
  const { scale, debt } = weights(position);
  const own = legs(position.collateralAssets).filter(
    ({ asset }) => priceSymbol(asset) === priceSymbol(symbol),
  );
  const others = legs(position.collateralAssets).filter((leg) => !own.includes(leg));
  const weighted = others.reduce((sum, leg) => sum + leg.usdValue * threshold(leg) * scale, 0);
  return (debt - weighted) / own.reduce((sum, leg) => sum + leg.amount * threshold(leg) * scale, 0);
}

export function distancePercent({ healthFactor }: Position): number {
  return (1 - 1 / (healthFactor ?? Infinity)) * 100;
}

/** Health factor with prices of symbols multiplied. */
export function healthFactorAfter(position: Position, factors: Readonly<Record<string, number>>): number {
  const { scale } = weights(position);
  const factor = ({ asset }: Leg): number => factors[priceSymbol(asset)] ?? 1;
  const weighted = legs(position.collateralAssets).reduce(
    (sum, leg) => sum + leg.usdValue * factor(leg) * threshold(leg) * scale,
    0,
  );
  return weighted / legs(position.debtAssets).reduce((sum, leg) => sum + leg.usdValue * factor(leg), 0);
}

/** R = D − W / T. */
export function repayUsd(position: Position, target: number): number {
  const { debt } = weights(position);
  return debt - ((position.healthFactor ?? 0) * debt) / target;
}

/** A = (T·D − W) / LT. */
export function addUsd(position: Position, symbol: string, target: number): number {
  const { scale, debt } = weights(position);
  const leg = legs(position.collateralAssets).find(({ asset }) => asset === symbol);
  if (!leg) return NaN;
  return (target * debt - (position.healthFactor ?? 0) * debt) / (threshold(leg) * scale);
}

/** All supplies, collateral or not, minus all debts. */
export function netWorthUsd(position: Position): number {
  const value = (list: Leg[] | undefined): number => legs(list).reduce((sum, leg) => sum + leg.usdValue, 0);
  return value(position.collateralAssets) - value(position.debtAssets);
}
