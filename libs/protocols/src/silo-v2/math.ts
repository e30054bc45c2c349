import { WAD } from '../fixed-point/math';

/**
 * Shares of deposits start at a thousand for one asset, which prevents an inflation attack on an empty silo.
 */
const OFFSET = 1_000n;

/** The balance of a silo in one kind, interest included, and its shares. */
export interface SiloTotal {
  assets: bigint;
  shares: bigint;
}

/** Shares of a deposit, collateral or protected, in assets: rounded down (SiloMathLib.convertToAssets). */
export function siloDeposit({ assets, shares }: SiloTotal, own: bigint): bigint {
  return (own * ((shares === 0n ? 0n : assets) + 1n)) / (shares + OFFSET);
}

/** Shares of a debt in assets: rounded up. */
export function siloDebt({ assets, shares }: SiloTotal, own: bigint): bigint {
  return shares === 0n ? own : (own * assets + shares - 1n) / shares;
}

/**
 * Health factor (wad): the threshold over the LTV, which is rounded up; rounded down itself. A borrower is
 * solvent while it is not below 1. Null without debt, 0 without collateral. Source: SiloSolvencyLib of
 * silo-contracts-v2.
 * @param threshold wad
 */
export function siloHealthFactor(
  collateralValue: bigint,
  debtValue: bigint,
  threshold: bigint,
): bigint | null {
  if (debtValue === 0n) return null;
  if (collateralValue === 0n) return 0n;
  const ltv = (debtValue * WAD + collateralValue - 1n) / collateralValue;
  return (threshold * WAD) / ltv;
}
