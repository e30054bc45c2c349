import { type PositionAsset, type PositionDetail, priceSymbol, assetClass } from '@plimsoll/contracts';
import { type RiskPosition, scaledToHealthFactor, depthOf, type Depth } from '@plimsoll/risk-math';

/** The fields of a position in a REST response that the risk estimators need. */
export type HeldPosition = Pick<
  PositionDetail,
  'collateralAssets' | 'debtAssets' | 'healthFactor' | 'healthFactorRaw'
>;

const BPS = 10_000;

/** Unit value in USD. It is derived from usdValue because priceRaw may be in the quote currency of the market. */
function priceUsd({ amount, usdValue }: PositionAsset): number {
  return amount === 0 ? 0 : usdValue / amount;
}

/**
 * Converts a position to the input of the risk estimators. Assets have their price symbols. A supply that secures no
 * debt has a threshold of 0. A bonus that was not read is 0. The health factor is the contract's.
 */
export function riskPosition({
  collateralAssets,
  debtAssets,
  healthFactor: exact,
}: HeldPosition): RiskPosition {
  const collateral = collateralAssets.map((leg) => ({
    asset: priceSymbol(leg.asset),
    amount: leg.amount,
    priceUsd: priceUsd(leg),
    liquidationThreshold: leg.usedAsCollateral ? (leg.liquidationThresholdBps ?? 0) / BPS : 0,
    liquidationBonus: (leg.liquidationBonusBps ?? 0) / BPS,
  }));
  const debt = debtAssets.map((leg) => ({
    asset: priceSymbol(leg.asset),
    amount: leg.amount,
    priceUsd: priceUsd(leg),
  }));
  return scaledToHealthFactor({ collateral, debt }, exact);
}

/** Returns the market depth of an asset by its symbol, in any letter case. */
export function depthOfSymbol(symbol: string): Depth {
  return depthOf({ symbol: priceSymbol(symbol), ...assetClass(symbol) });
}
