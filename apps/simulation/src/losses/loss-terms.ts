import type { BonusBasis, LossAssumptions } from '@plimsoll/contracts';
import {
  type RiskPosition,
  DEFAULT_CLOSE_FACTOR,
  DEPTH_MODEL,
  FULL_CLOSE_HEALTH_FACTOR,
  FULL_CLOSE_RESERVE_USD,
} from '@plimsoll/risk-math';
import { depthOfSymbol } from '@plimsoll/risk-position';
import { RULED_FAMILIES, liquidationBonus } from './liquidation-bonus';

/** A position with the liquidator's bonus for each collateral, and the source of these. */
export interface LossTerms {
  risk: RiskPosition;
  bonusBasis: BonusBasis;
}

/**
 * Keeps each bonus that was read, and uses that of the protocol for the others. A bonus that grows as HF falls is
 * read at its largest, so none counts above 1/threshold − 1, which a position at HF 1 can pay.
 */
export function lossTerms(position: RiskPosition, family: string): LossTerms {
  const isRead = position.collateral.every(
    (leg) => leg.liquidationBonus > 0 || leg.liquidationThreshold === 0,
  );
  const otherwise = RULED_FAMILIES.has(family) ? 'protocol_rule' : 'typical';
  const collateral = position.collateral.map((leg) => ({
    ...leg,
    liquidationBonus:
      leg.liquidationBonus > 0
        ? Math.min(leg.liquidationBonus, 1 / leg.liquidationThreshold - 1)
        : liquidationBonus(family, leg.asset, leg.liquidationThreshold),
  }));
  return { risk: { collateral, debt: position.debt }, bonusBasis: isRead ? 'market' : otherwise };
}

/** The assumptions behind the losses of such a position. */
export function lossAssumptions({ risk, bonusBasis }: LossTerms): LossAssumptions {
  const secures = risk.collateral.filter(({ liquidationThreshold }) => liquidationThreshold > 0);
  return {
    depthModel: DEPTH_MODEL,
    depthBasis: Object.fromEntries(secures.map(({ asset }) => [asset, depthOfSymbol(asset).basis])),
    liquidationBonus: Object.fromEntries(secures.map(({ asset, liquidationBonus: bonus }) => [asset, bonus])),
    bonusBasis,
    closeFactor: DEFAULT_CLOSE_FACTOR,
    fullCloseHealthFactor: FULL_CLOSE_HEALTH_FACTOR,
    fullCloseBelowUsd: FULL_CLOSE_RESERVE_USD,
  };
}
