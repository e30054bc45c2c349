import { WAD } from '../fixed-point/math';

/** Source of all functions: Comet.sol and CometCore.sol of compound-finance/comet. */
const BASE_INDEX_SCALE = 10n ** 15n;

const mulFactor = (n: bigint, factor: bigint): bigint => (n * factor) / WAD;

/** An index (1e15) after interest at a rate a second (wad) over the seconds. */
export function cometIndex(index: bigint, rate: bigint, seconds: bigint): bigint {
  return index + mulFactor(index, rate * seconds);
}

/** Balance of a principal, in units of the base token. A debt has a negative principal. */
export function cometBalance(
  principal: bigint,
  indices: { supply: bigint; borrow: bigint },
): { supplied: bigint; borrowed: bigint } {
  return principal >= 0n
    ? { supplied: (principal * indices.supply) / BASE_INDEX_SCALE, borrowed: 0n }
    : { supplied: 0n, borrowed: (-principal * indices.borrow) / BASE_INDEX_SCALE };
}

/** One collateral asset of a wallet; prices with 8 decimals, `scale` 10 to the power of its decimals. */
export interface CometCollateral {
  balance: bigint;
  price: bigint;
  scale: bigint;
  /** Wad. */
  liquidateCollateralFactor: bigint;
}

/** Sums in the currency of the price feeds, with 8 decimals. */
export interface CometTotals {
  totalCollateral: bigint;
  totalDebt: bigint;
  /** Wad, rounded down. Null without debt, and with a debt whose value rounds to zero. */
  healthFactor: bigint | null;
}

/** Sums of isLiquidatable, but on the accrued debt (isLiquidatable itself uses the stored index). */
export function cometTotals(
  borrowed: bigint,
  basePrice: bigint,
  baseScale: bigint,
  collaterals: readonly CometCollateral[],
): CometTotals {
  let totalCollateral = 0n;
  let weighted = 0n;
  for (const { balance, price, scale, liquidateCollateralFactor } of collaterals) {
    const value = (balance * price) / scale;
    totalCollateral += value;
    weighted += mulFactor(value, liquidateCollateralFactor);
  }
  const totalDebt = (borrowed * basePrice) / baseScale;
  return { totalCollateral, totalDebt, healthFactor: totalDebt === 0n ? null : (weighted * WAD) / totalDebt };
}
