import { ASSETS } from '../aave/assets';
import { PRICE_DECIMALS } from '../price-feed/price-feed';
import type { AssetDynamics } from './step-prices';

const VOLATILE = { halfLifeDays: 4 } as const;
const STABLE = { annualVolatility: 0.012, marketCorrelation: 0, jumpBeta: 0, halfLifeDays: 0.25 } as const;

const BY_SYMBOL: Readonly<Record<string, Omit<AssetDynamics, 'symbol' | 'anchorUsd'>>> = {
  WETH: { ...VOLATILE, annualVolatility: 0.72, marketCorrelation: 0.9, jumpBeta: 1 },
  WBTC: { ...VOLATILE, annualVolatility: 0.5, marketCorrelation: 0.88, jumpBeta: 0.75 },
  LINK: { ...VOLATILE, annualVolatility: 0.95, marketCorrelation: 0.78, jumpBeta: 1.3 },
};

/**
 * The dynamics of the devnet's assets. An asset that is not listed as volatile stays near its seeded price.
 */
export const DEVNET_DYNAMICS: readonly AssetDynamics[] = ASSETS.map(({ symbol, priceUsd }) => ({
  ...(BY_SYMBOL[symbol] ?? STABLE),
  symbol,
  anchorUsd: Number(priceUsd) / 10 ** PRICE_DECIMALS,
}));
