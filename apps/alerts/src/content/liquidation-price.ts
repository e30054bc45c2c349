import {
  type AlertContent,
  type LiquidationPriceReason,
  isStableAsset,
  priceSymbol,
} from '@plimsoll/contracts';
import { type RiskPosition, liquidationPrice, scaledToHealthFactor } from '@plimsoll/risk-math';
import { type ContractFigures, legsOf, valueUsd } from '../positions/holdings';

type LiquidationPriceContent = Pick<AlertContent, 'liquidationPrice' | 'liquidationPriceReason'>;

const none = (liquidationPriceReason: LiquidationPriceReason): LiquidationPriceContent => ({
  liquidationPrice: null,
  liquidationPriceReason,
});

/**
 * Returns the price of the largest volatile collateral, or else of the largest volatile debt, at which the
 * position is liquidatable, while all other prices are unchanged.
 */
export function liquidationPriceOf(
  figures: ContractFigures,
  healthFactor: number | null,
): LiquidationPriceContent {
  if (healthFactor === null) return none('no_debt');
  const position = riskPosition(figures, healthFactor);
  const [held] = volatile(legsOf(figures, 'collateral').filter(({ thresholdBps }) => thresholdBps > 0));
  const [owed] = volatile(legsOf(figures, 'debt'));
  const largest = held ?? owed;
  if (!largest) return none('no_volatile_collateral');
  if (!figures.isUsdKnown || largest.priceUsd === 0) return none('unpriced');
  const priceUsd = liquidationPrice(position, priceSymbol(largest.asset));
  if (priceUsd === null) return none('not_reachable');
  const currentPriceUsd = largest.priceUsd;
  const direction = held ? 'fall' : 'rise';
  const rise = (priceUsd / currentPriceUsd - 1) * 100;
  const distancePercent = held ? -rise : rise;
  return {
    liquidationPrice: { asset: largest.asset, priceUsd, currentPriceUsd, distancePercent, direction },
    liquidationPriceReason: null,
  };
}

/** Returns the legs of volatile assets, the largest first. */
function volatile(legs: ReturnType<typeof legsOf>): ReturnType<typeof legsOf> {
  return legs.filter(({ asset }) => !isStableAsset(asset)).sort((a, b) => valueUsd(b) - valueUsd(a));
}

/** Converts the position for estimators, with the health factor of the contract. */
export function riskPosition(figures: ContractFigures, healthFactor: number | null): RiskPosition {
  const collateral = legsOf(figures, 'collateral').map(({ asset, amount, priceUsd, thresholdBps }) => ({
    asset: priceSymbol(asset),
    amount,
    priceUsd,
    liquidationThreshold: thresholdBps / 10_000,
    liquidationBonus: 0,
  }));
  const debt = legsOf(figures, 'debt').map(({ asset, amount, priceUsd }) => ({
    asset: priceSymbol(asset),
    amount,
    priceUsd,
  }));
  return scaledToHealthFactor({ collateral, debt }, healthFactor);
}
