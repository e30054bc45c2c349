import { WAD } from '../fixed-point/math';

/** Fractions of a pair, and its exchange rate: collateral for 1e18 of the asset. */
const LTV_PRECISION = 100_000n;
const EXCHANGE_PRECISION = WAD;

/** Amount and shares of a pair, interest included. */
export interface FraxlendTotal {
  amount: bigint;
  shares: bigint;
}

const MAX_UINT128 = 2n ** 128n - 1n;

/** The debts and the supplies of a pair. */
export interface FraxlendTotals {
  borrowed: FraxlendTotal;
  lent: FraxlendTotal;
}

/** The totals with interest, which goes to the lenders. The pair does not accrue what would overflow, and still returns it. */
export function fraxlendAccrued(
  { borrowed, lent }: FraxlendTotals,
  interest: bigint,
  feesShare: bigint,
): FraxlendTotals {
  if (interest + borrowed.amount > MAX_UINT128 || interest + lent.amount > MAX_UINT128)
    return { borrowed, lent };
  return {
    borrowed: { amount: borrowed.amount + interest, shares: borrowed.shares },
    lent: { amount: lent.amount + interest, shares: lent.shares + feesShare },
  };
}

/** Shares in units of their token (VaultAccountingLibrary.toAmount): a debt is rounded up, a supply down. */
export function fraxlendAmount({ amount, shares }: FraxlendTotal, own: bigint, roundUp: boolean): bigint {
  if (shares === 0n) return own;
  const floor = (own * amount) / shares;
  return roundUp && (floor * shares) / amount < own ? floor + 1n : floor;
}

/** Value of collateral in units of the asset, rounded down. @param exchangeRate collateral for 1e18 of the asset */
export function fraxlendCollateralValue(collateral: bigint, exchangeRate: bigint): bigint {
  return exchangeRate === 0n ? 0n : (collateral * EXCHANGE_PRECISION) / exchangeRate;
}

/**
 * Value of the collateral in units of the asset (rounded down) and health factor (wad, rounded down). It is null without
 * debt, and where the pair liquidates none: a maximum LTV of 0 counts as solvent. The pair decides by an LTV of five digits,
 * rounded down, so a borrower whose exact factor is slightly below 1 can still be solvent: the factor is then 1.
 * Source: FraxlendPairCore._isSolvent.
 * @param exchangeRate collateral for 1e18 of the asset, at which the pair liquidates
 */
export function fraxlendFigures(
  { collateral, debt }: { collateral: bigint; debt: bigint },
  exchangeRate: bigint,
  maxLtv: bigint,
): { collateralValue: bigint; healthFactor: bigint | null } {
  const collateralValue = fraxlendCollateralValue(collateral, exchangeRate);
  const owed = debt * exchangeRate;
  if (owed === 0n || maxLtv === 0n) return { collateralValue, healthFactor: null };
  const exact = (collateral * EXCHANGE_PRECISION * maxLtv * WAD) / (owed * LTV_PRECISION);
  const isSolvent = collateral > 0n && ((owed / EXCHANGE_PRECISION) * LTV_PRECISION) / collateral <= maxLtv;
  return { collateralValue, healthFactor: isSolvent && exact < WAD ? WAD : exact };
}
