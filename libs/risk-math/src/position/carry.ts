const DAYS_PER_YEAR = 365;

/**
 * Days until interest alone brings HF to 1 at constant prices: ln(HF) / (borrow rate − supply rate)·365, rates continuous
 * and per year, that of supply weighted by value × liquidation threshold, that of debt by value. null without debt, when HF ≤ 1, and when supply earns at least what debt costs.
 */
export function carryDays(
  healthFactor: number | null,
  borrowRate: number,
  supplyRate: number,
): number | null {
  if (healthFactor === null || healthFactor <= 1 || borrowRate <= supplyRate) return null;
  return (Math.log(healthFactor) / (borrowRate - supplyRate)) * DAYS_PER_YEAR;
}
