import type { RiskPosition } from './position';
import { priceSymbol } from './price-symbol';
import { scaledToHealthFactor } from './scale';

/** An asset that a position supplies or owes, as a response of the API has it. */
export interface HeldAsset {
  asset: string;
  amount: number;
  usdValue: number;
  usedAsCollateral?: boolean | undefined;
  liquidationThresholdBps?: number | undefined;
  liquidationBonusBps?: number | undefined;
}

/** The parts of a position in a response that decide its risk. */
export interface HeldAssets {
  collateralAssets: readonly HeldAsset[];
  debtAssets: readonly HeldAsset[];
  healthFactor: number | null;
}

const BPS = 10_000;

/** Unit value in USD. It is derived from usdValue because priceRaw may be in the quote currency of the market. */
export const unitPriceUsd = ({ amount, usdValue }: Pick<HeldAsset, 'amount' | 'usdValue'>): number =>
  amount === 0 ? 0 : usdValue / amount;

/**
 * Converts a position to the input of the risk estimators. Assets have their price symbols. A supply that secures no
 * debt has a threshold of 0. A bonus that was not read is 0. The health factor is the contract's.
 */
export function riskPosition({ collateralAssets, debtAssets, healthFactor }: HeldAssets): RiskPosition {
  const collateral = collateralAssets.map((leg) => ({
    asset: priceSymbol(leg.asset),
    amount: leg.amount,
    priceUsd: unitPriceUsd(leg),
    liquidationThreshold: leg.usedAsCollateral ? (leg.liquidationThresholdBps ?? 0) / BPS : 0,
    liquidationBonus: (leg.liquidationBonusBps ?? 0) / BPS,
  }));
  const debt = debtAssets.map((leg) => ({
    asset: priceSymbol(leg.asset),
    amount: leg.amount,
    priceUsd: unitPriceUsd(leg),
  }));
  return scaledToHealthFactor({ collateral, debt }, healthFactor);
}
