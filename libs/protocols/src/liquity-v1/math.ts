import { WAD } from '../fixed-point/math';

/** A trove with its redistributions. Amounts have 18 decimals. */
export interface Trove {
  collateral: bigint;
  /** Includes the 200 LUSD that are reserved for a liquidator. */
  debt: bigint;
}

/** The thresholds of a trove, as ratios in wad. */
export interface TroveThresholds {
  minimum: bigint;
  critical: bigint;
  /** The ratio of the whole system. Below `critical` it is in recovery mode. */
  total: bigint;
}

/**
 * The ratio (wad) below which a trove may be liquidated: the minimum, and in recovery mode that of the whole system.
 * Source: TroveManager.sol of liquity/dev, _liquidateRecoveryMode.
 */
export function troveThreshold({ minimum, critical, total }: TroveThresholds): bigint {
  if (total >= critical) return minimum;
  return total > minimum ? total : minimum;
}

/** Collateral ratio (wad), rounded down (LiquityMath._computeCR). Null without debt. */
export function troveRatio({ collateral, debt }: Trove, price: bigint): bigint | null {
  return debt === 0n ? null : (collateral * price) / debt;
}

/** Health factor (wad), rounded down, of a ratio. */
export function troveHealthFactor(ratio: bigint, threshold: bigint): bigint {
  return (ratio * WAD) / threshold;
}
