const DAYS_PER_YEAR = 365;

/**
 * Days until interest alone brings HF to 1 at constant prices: ln(HF) / (borrow rate − supply rate)·365.
 * Rates are continuous and per year. The supply rate is weighted by value × liquidation threshold, the borrow
 * rate by value. null without debt, when HF ≤ 1, and when supply earns at least as much as debt costs.
 */
export function carryDays(
  healthFactor: number | null,
  borrowRate: number,
  supplyRate: number,
): number | null {
  if (healthFactor === null || healthFactor <= 1 || borrowRate <= supplyRate) return null;
  return (Math.log(healthFactor) / (borrowRate - supplyRate)) * DAYS_PER_YEAR;
}
