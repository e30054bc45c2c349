import { priceRatio } from './collateral-drop';
import type { PositionState } from './position-state';

/** Share of an amount that interest and rounding cannot change between two events of a position. */
const LEAST_CUT = 0.001;

/**
 * Describes a liquidation between two states, or returns null. It is one when debt was repaid and collateral
 * seized together, while the position was liquidatable in the state before or at the new prices.
 */
export function liquidationIn(before: PositionState, after: PositionState): string | null {
  // A removed asset has only the price of the state before.
  const prices = { ...before.holdings.prices, ...after.holdings.prices };
  const repaidUsd = lostUsd(before.holdings.debt, after.holdings.debt, prices);
  const seizedUsd = lostUsd(before.holdings.collateral, after.holdings.collateral, prices);
  if (repaidUsd === 0 || seizedUsd === 0 || !wasLiquidatable(before, after)) return null;
  return `Liquidation: about ${usd(repaidUsd)} of debt repaid, ${usd(seizedUsd)} of collateral taken`;
}

function wasLiquidatable(before: PositionState, after: PositionState): boolean {
  if (before.healthFactor === null) return false;
  const { holdings } = before;
  const collateral = priceRatio(holdings.collateral, holdings.prices, after.holdings.prices);
  const debt = priceRatio(holdings.debt, holdings.prices, after.holdings.prices);
  return before.healthFactor < 1 || before.healthFactor * collateral < debt;
}

/** Value of the removed amounts. */
function lostUsd(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  prices: Readonly<Record<string, number>>,
): number {
  let lost = 0;
  for (const [asset, amount] of Object.entries(before)) {
    const cut = amount - (after[asset] ?? 0);
    if (cut > amount * LEAST_CUT) lost += cut * (prices[asset] ?? 0);
  }
  return lost;
}

function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
