import { isCorrelated, priceSymbol } from '@plimsoll/contracts';
import type { RawLeg, RawPosition } from '@plimsoll/protocols';
import {
  type CovarianceFigures,
  type RiskPosition,
  assetsOf,
  closedTouchProbability,
  marketOver,
  scaledToHealthFactor,
} from '@plimsoll/risk-math';
import { healthFactorNumber, toDouble } from '../amounts/units';

const BAND_DAYS = 7;
const BPS = 10_000;

/**
 * Probability that a position whose collateral and debt move together is liquidated within 7 days. Null for
 * every other position, and if the covariances lack one of its assets.
 */
export function correlatedProbability(position: RawPosition, figures: CovarianceFigures): number | null {
  if (!movesTogether(position)) return null;
  const { secures, debt } = sidesOf(position);
  const risk = riskPosition(secures, debt, position.healthFactorRaw);
  const market = marketOver(figures, assetsOf(risk), BAND_DAYS);
  return market && closedTouchProbability(risk, market, BAND_DAYS);
}

/** Whether its collateral and debt move together: then a probability may make its band. */
export function movesTogether(position: RawPosition): boolean {
  const { secures, debt } = sidesOf(position);
  const symbols = (legs: readonly RawLeg[]): string[] => legs.map(({ symbol }) => symbol);
  return isCorrelated(symbols(secures), symbols(debt));
}

function sidesOf({ legs }: RawPosition): { secures: RawLeg[]; debt: RawLeg[] } {
  return {
    secures: legs.filter(({ usedAsCollateral }) => usedAsCollateral),
    debt: legs.filter(({ side }) => side === 'debt'),
  };
}

function riskPosition(
  secures: readonly RawLeg[],
  owed: readonly RawLeg[],
  healthFactorRaw: bigint | null,
): RiskPosition {
  const held = (leg: RawLeg) => ({
    asset: priceSymbol(leg.symbol),
    amount: toDouble(leg.amountRaw, leg.decimals),
    priceUsd: toDouble(leg.priceRaw, leg.priceDecimals),
  });
  const collateral = secures.map((leg) => ({
    ...held(leg),
    liquidationThreshold: Number(leg.liquidationThresholdBps) / BPS,
    liquidationBonus: 0,
  }));
  return scaledToHealthFactor({ collateral, debt: owed.map(held) }, healthFactorNumber(healthFactorRaw));
}
