import { WAD } from '../fixed-point/math';
import type { Trove } from '../liquity-v1/math';

/**
 * Figures of a trove in its branch: value of the collateral (wad, in dollars), and health factor (wad), its
 * ratio over the branch's minimum, both rounded down. Null without debt. A trove below 1 may be liquidated.
 * Source: LiquityMath._computeCR and TroveManager of liquity/bold.
 */
export function liquityV2Figures(
  { collateral, debt }: Trove,
  price: bigint,
  minimumRatio: bigint,
): { collateralValue: bigint; healthFactor: bigint | null } {
  return {
    collateralValue: (collateral * price) / WAD,
    healthFactor: debt === 0n ? null : (((collateral * price) / debt) * WAD) / minimumRatio,
  };
}
