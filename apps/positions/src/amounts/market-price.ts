import type { RawLeg } from '@plimsoll/protocols';
import { WAD_DECIMALS, toDouble } from './units';

/** The market price of a leg, as events and responses state it. */
export interface MarketPrice {
  marketPriceUsd?: number;
  marketPriceRaw?: string;
}

/** Empty if the protocol's own price is the only one. */
export function marketPriceOf({ marketUsdRaw }: Pick<RawLeg, 'marketUsdRaw'>): MarketPrice {
  if (marketUsdRaw === undefined) return {};
  return { marketPriceUsd: toDouble(marketUsdRaw, WAD_DECIMALS), marketPriceRaw: marketUsdRaw.toString() };
}
