import type { LossAssumptions } from '@plimsoll/contracts';
import {
  type RiskPosition,
  DEFAULT_CLOSE_FACTOR,
  DEPTH_MODEL,
  FULL_CLOSE_HEALTH_FACTOR,
  FULL_CLOSE_RESERVE_USD,
} from '@plimsoll/risk-math';
import { depthOfSymbol } from '@plimsoll/risk-position';
import { RULED_FAMILIES, liquidationBonus } from './liquidation-bonus';

/** The position with the liquidator's bonus of its protocol for each collateral. */
export function withLiquidationBonus(position: RiskPosition, family: string): RiskPosition {
  return {
    collateral: position.collateral.map((leg) => ({
      ...leg,
      liquidationBonus: liquidationBonus(family, leg.asset, leg.liquidationThreshold),
    })),
    debt: position.debt,
  };
}

/** The assumptions behind the losses of such a position. */
export function lossAssumptions(position: RiskPosition, family: string): LossAssumptions {
  const secures = position.collateral.filter(({ liquidationThreshold }) => liquidationThreshold > 0);
  return {
    depthModel: DEPTH_MODEL,
    depthBasis: Object.fromEntries(secures.map(({ asset }) => [asset, depthOfSymbol(asset).basis])),
    liquidationBonus: Object.fromEntries(secures.map(({ asset, liquidationBonus: bonus }) => [asset, bonus])),
    bonusBasis: RULED_FAMILIES.has(family) ? 'protocol_rule' : 'typical',
    closeFactor: DEFAULT_CLOSE_FACTOR,
    fullCloseHealthFactor: FULL_CLOSE_HEALTH_FACTOR,
    fullCloseBelowUsd: FULL_CLOSE_RESERVE_USD,
  };
}
