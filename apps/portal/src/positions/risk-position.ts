import { type RiskPosition, liquidationPrice, scaledToHealthFactor } from '@plimsoll/risk-math';
import type { Held, HeldAsset } from './held';

const BPS = 10_000;
/** A wrapped token and its coin have one price. */
const SAME_PRICE: Readonly<Record<string, string>> = { WETH: 'ETH', WBTC: 'BTC' };

/** The name of an asset's price. */
export function priceSymbol(symbol: string): string {
  const upper = symbol.toUpperCase();
  return SAME_PRICE[upper] ?? upper;
}

/** USD, at which the API counts one whole token. */
export const priceOf = ({ amount, usdValue }: HeldAsset): number => (amount === 0 ? 0 : usdValue / amount);

/** A position for the mathematics of risk, with the health factor of the contract. */
export function riskPositionOf({
  collateralAssets,
  debtAssets,
  healthFactor,
}: Omit<Held, 'healthFactorRaw'>): RiskPosition {
  const collateral = collateralAssets.map((leg) => ({
    asset: priceSymbol(leg.asset),
    amount: leg.amount,
    priceUsd: priceOf(leg),
    liquidationThreshold: leg.usedAsCollateral ? (leg.liquidationThresholdBps ?? 0) / BPS : 0,
    liquidationBonus: (leg.liquidationBonusBps ?? 0) / BPS,
  }));
  const debt = debtAssets.map((leg) => ({
    asset: priceSymbol(leg.asset),
    amount: leg.amount,
    priceUsd: priceOf(leg),
  }));
  return scaledToHealthFactor({ collateral, debt }, healthFactor);
}

/** The price of an asset at which the position is liquidated while all others keep theirs. */
export interface LiquidationPrice {
  priceUsd: number;
  /** The change from the present price. Negative for a fall. Percent. */
  changePercent: number;
}

/** Null where no price of the asset alone does it, and without debt. */
export function liquidationPriceOf(position: RiskPosition, leg: HeldAsset): LiquidationPrice | null {
  const priceUsd = liquidationPrice(position, priceSymbol(leg.asset));
  const present = priceOf(leg);
  if (priceUsd === null || present === 0) return null;
  return { priceUsd, changePercent: (priceUsd / present - 1) * 100 };
}

/** The price symbols of everything that a position holds or owes, each once. */
export const symbolsOf = ({
  collateralAssets,
  debtAssets,
}: Pick<Held, 'collateralAssets' | 'debtAssets'>) => [
  ...new Set([...collateralAssets, ...debtAssets].map(({ asset }) => priceSymbol(asset))),
];
