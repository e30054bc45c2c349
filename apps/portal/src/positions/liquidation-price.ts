import { type RiskPosition, liquidationPrice, priceSymbol, unitPriceUsd } from '@plimsoll/risk-math';
import type { HeldAsset } from './held';

/** The price of an asset at which the position is liquidated while all others keep theirs. */
export interface LiquidationPrice {
  priceUsd: number;
  /** The change from the present price. Negative for a fall. Percent. */
  changePercent: number;
}

/** Null where no price of the asset alone does it, and without debt. */
export function liquidationPriceOf(position: RiskPosition, leg: HeldAsset): LiquidationPrice | null {
  const priceUsd = liquidationPrice(position, priceSymbol(leg.asset));
  const present = unitPriceUsd(leg);
  if (priceUsd === null || present === 0) return null;
  return { priceUsd, changePercent: (priceUsd / present - 1) * 100 };
}
