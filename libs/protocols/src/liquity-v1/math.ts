import { WAD } from '../fixed-point/math';

/** A trove with its redistributions. Amounts have 18 decimals. */
export interface Trove {
  collateral: bigint;
  /** Includes the 200 LUSD that are reserved for a liquidator. */
  debt: bigint;
}

/** The state of the system on which the threshold of a trove depends. Ratios in wad. */
export interface TroveThresholds {
  minimum: bigint;
  critical: bigint;
  /** The ratio of the whole system. Below `critical` it is in recovery mode. */
  total: bigint;
  /** The most debt that a liquidation can offset: the deposits of the Stability Pool. */
  offset: bigint;
}

/**
 * The ratio (wad) below which a trove may be liquidated: the minimum. In recovery mode it is the ratio of the whole
 * system for a trove whose debt the Stability Pool can offset completely.
 * Source: liquity/dev, TroveManager.sol, _liquidateRecoveryMode and _getTotalFromBatchLiquidate_RecoveryMode.
 */
export function troveThreshold({ minimum, critical, total, offset }: TroveThresholds, debt: bigint): bigint {
  return total < critical && total > minimum && debt <= offset ? total : minimum;
}

/** Collateral ratio (wad), rounded down (LiquityMath._computeCR). Null without debt. */
export function troveRatio({ collateral, debt }: Trove, price: bigint): bigint | null {
  return debt === 0n ? null : (collateral * price) / debt;
}

/** Health factor (wad), rounded down, of a ratio. */
export function troveHealthFactor(ratio: bigint, threshold: bigint): bigint {
  return (ratio * WAD) / threshold;
}
