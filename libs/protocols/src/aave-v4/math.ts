import { RAY } from '../fixed-point/math';

const BPS_TO_WAD = 10n ** 14n;

/**
 * The stored values of a user's debt in one reserve. The premium is the part that the risk of the user's
 * collateral adds.
 */
export interface AaveV4Debt {
  drawnShares: bigint;
  premiumShares: bigint;
  /** In ray of the asset. It may be negative. */
  premiumOffsetRay: bigint;
}

/** One reserve of a user. */
export interface AaveV4Holding {
  decimals: number;
  /** The price of the spoke's oracle, 8 decimals. */
  price: bigint;
  /** Supplied assets, if they are enabled as collateral; else 0. */
  collateral: bigint;
  /** The factor at the user's own config key. */
  collateralFactorBps: bigint;
  /** In ray of the asset. */
  debtRay: bigint;
}

/** The debt in ray of the asset, and in the units that the spoke returns (each part rounded up). */
export function aaveV4Debt(
  { drawnShares, premiumShares, premiumOffsetRay }: AaveV4Debt,
  drawnIndex: bigint,
): { ray: bigint; amount: bigint } {
  const [drawn, premium] = [drawnShares * drawnIndex, premiumShares * drawnIndex - premiumOffsetRay];
  return { ray: drawn + premium, amount: rayUp(drawn) + rayUp(premium) };
}

/**
 * Totals (26 decimals, in dollars) and health factor (wad) as Spoke._processUserAccountData of aave/aave-v4 has them:
 * values are exact, the debt's is kept in ray, and the health factor is rounded down once. Null without debt.
 */
export function aaveV4AccountTotals(holdings: readonly AaveV4Holding[]): {
  totalCollateral: bigint;
  totalDebt: bigint;
  healthFactor: bigint | null;
} {
  let [totalCollateral, weighted, debtRay] = [0n, 0n, 0n];
  for (const { decimals, price, collateral, collateralFactorBps, debtRay: own } of holdings) {
    const unitValue = price * 10n ** BigInt(18 - decimals);
    if (collateralFactorBps > 0n) {
      totalCollateral += collateral * unitValue;
      weighted += collateral * unitValue * collateralFactorBps;
    }
    debtRay += own * unitValue;
  }
  const healthFactor = debtRay === 0n ? null : (weighted * BPS_TO_WAD * RAY) / debtRay;
  return { totalCollateral, totalDebt: rayUp(debtRay), healthFactor };
}

function rayUp(value: bigint): bigint {
  return (value + RAY - 1n) / RAY;
}
