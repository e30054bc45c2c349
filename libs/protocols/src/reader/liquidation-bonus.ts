import { WAD } from '../fixed-point/math';
import type { RawLeg } from './raw-position';

const WAD_TO_BPS = 10n ** 14n;

/** A share (wad) in whole basis points, half up. */
const toBps = (share: bigint): bigint => (share + WAD_TO_BPS / 2n) / WAD_TO_BPS;

/** The bonus where the collateral that is seized is worth the repaid debt times a factor (wad): 1.08e18 is 800. */
export function bonusOfFactor(factor: bigint): bigint {
  return factor > WAD ? toBps(factor - WAD) : 0n;
}

/**
 * The bonus where seized collateral repays a share (wad) of its value: 0.93e18 is 753, because 0.93 of debt
 * takes 1 of collateral.
 */
export function bonusOfShare(share: bigint): bigint {
  return share > 0n ? bonusOfFactor((WAD * WAD) / share) : 0n;
}

/** The field of a leg. It is absent without a bonus. */
export function bonusField(bonusBps: bigint): Pick<RawLeg, 'liquidationBonusBps'> {
  return bonusBps > 0n ? { liquidationBonusBps: bonusBps } : {};
}
