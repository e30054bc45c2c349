import { type PositionAsset, type PositionDetail, priceSymbol } from '@plimsoll/contracts';
import { type RiskPosition, scaledToHealthFactor } from '@plimsoll/risk-math';

/** What a REST answer must hold of a position. */
export type HeldPosition = Pick<
  PositionDetail,
  'collateralAssets' | 'debtAssets' | 'healthFactor' | 'healthFactorRaw'
>;

const BPS = 10_000;

/** Price of one whole token, USD; priceRaw itself may be in another currency that the market reckons in. */
function priceUsd({ amount, usdValue }: PositionAsset): number {
  return amount === 0 ? 0 : usdValue / amount;
}

/**
 * A position as the estimators take it, its assets under their price symbols, supplies that secure nothing with a threshold
 * of 0. Its health factor is the contract's.
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
    liquidationBonus: 0,
  }));
  const debt = debtAssets.map((leg) => ({
    asset: priceSymbol(leg.asset),
    amount: leg.amount,
    priceUsd: priceUsd(leg),
  }));
  return scaledToHealthFactor({ collateral, debt }, exact);
}
