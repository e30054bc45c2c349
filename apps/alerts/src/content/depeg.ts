import { type AlertCause, isCorrelated, priceSymbol } from '@plimsoll/contracts';
import { type ContractFigures, type StoredLeg, legsOf, valueUsd } from './contract-figures';

/** Shares of the distance to liquidation that a market deviation covers when an alert opens, and when it ends. */
const OPENS_AT = 0.5;
const ENDS_BELOW = 0.4;

export interface Depeg {
  /** `critical`: at market prices the position is liquidatable. */
  level: 'high' | 'critical';
  /** At market prices; below the health factor of the contract. */
  healthFactor: number;
  cause: AlertCause;
}

/**
 * Whether market prices would bring a position into danger that its oracle does not show yet. Only positions whose
 * collateral and debt move together are asked: for all others the oracle follows the market, and the level says it. The
 * deviation is the share by which the health factor is lower at market prices; the distance is that to a health factor of 1.
 * From half of the distance on it is high, from all of it critical; an open one ends below 40 %.
 * @param marketUsd fresh market prices, as price.v1 names their assets; an asset without one counts at its oracle price
 * @param isOpen whether the alert stands already
 */
export function depegOf(
  figures: ContractFigures,
  healthFactor: number | null,
  marketUsd: Readonly<Record<string, number>>,
  isOpen: boolean,
): Depeg | null {
  // Below 1 the contract itself says it.
  if (healthFactor === null || healthFactor <= 1 || !movesTogether(figures)) return null;
  const marketOf = ({ asset, priceUsd }: StoredLeg): number => marketUsd[priceSymbol(asset)] ?? priceUsd;
  const atOracle = ratio(figures, ({ priceUsd }) => priceUsd);
  const atMarket = ratio(figures, marketOf);
  if (atOracle === null || atMarket === null) return null;
  const deviation = 1 - atMarket / atOracle;
  const covered = deviation / (1 - 1 / healthFactor);
  if (covered < (isOpen ? ENDS_BELOW : OPENS_AT)) return null;
  const worst = worstLeg(figures, marketOf);
  if (worst === null) return null;
  return {
    level: covered >= 1 ? 'critical' : 'high',
    healthFactor: healthFactor * (1 - deviation),
    cause: {
      kind: 'depeg',
      asset: worst.asset,
      changePercent: (marketOf(worst) / worst.priceUsd - 1) * 100,
      fromUsd: worst.priceUsd,
      toUsd: marketOf(worst),
    },
  };
}

function movesTogether(figures: ContractFigures): boolean {
  if (!figures.isUsdKnown || figures.legs.some(({ priceUsd }) => priceUsd <= 0)) return false;
  const counted = legsOf(figures, 'collateral').filter(({ thresholdBps }) => thresholdBps > 0);
  return isCorrelated(
    counted.map(({ asset }) => asset),
    legsOf(figures, 'debt').map(({ asset }) => asset),
  );
}

function ratio(figures: ContractFigures, priceOf: (leg: StoredLeg) => number): number | null {
  const weighted = legsOf(figures, 'collateral').reduce(
    (sum, leg) => sum + leg.amount * priceOf(leg) * leg.thresholdBps,
    0,
  );
  const debt = legsOf(figures, 'debt').reduce((sum, leg) => sum + leg.amount * priceOf(leg), 0);
  return debt > 0 && weighted > 0 ? weighted / debt : null;
}

/** The leg whose market price costs the position most. */
function worstLeg(figures: ContractFigures, priceOf: (leg: StoredLeg) => number): StoredLeg | null {
  const cost = (leg: StoredLeg): number => {
    const gain = (priceOf(leg) / leg.priceUsd - 1) * valueUsd(leg);
    return leg.side === 'debt' ? gain : (-gain * leg.thresholdBps) / 10_000;
  };
  const [worst] = figures.legs.toSorted((a, b) => cost(b) - cost(a));
  return worst !== undefined && cost(worst) > 0 ? worst : null;
}
