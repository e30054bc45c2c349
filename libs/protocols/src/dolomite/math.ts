import { WAD } from '../fixed-point/math';

/**
 * Health factor (wad), rounded down, of the values by which DolomiteMargin decides whether an account is
 * collateralized: supply ≥ borrow + borrow · ratio, both adjusted by the margin premiums of their markets.
 * Null without a debt.
 * @param marginRatio wad, over 1
 */
export function dolomiteHealthFactor(supply: bigint, borrow: bigint, marginRatio: bigint): bigint | null {
  if (borrow === 0n) return null;
  return (supply * WAD) / (borrow + (borrow * marginRatio) / WAD);
}
