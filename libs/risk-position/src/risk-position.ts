import { type PositionDetail, priceSymbol, assetClass } from '@plimsoll/contracts';
import { depthOf, type Depth } from '@plimsoll/risk-math';

/** The fields of a position in a REST response that the risk estimators need. */
export type HeldPosition = Pick<
  PositionDetail,
  'collateralAssets' | 'debtAssets' | 'healthFactor' | 'healthFactorRaw'
>;

/** Returns the market depth of an asset by its symbol, in any letter case. */
export function depthOfSymbol(symbol: string): Depth {
  return depthOf({ symbol: priceSymbol(symbol), ...assetClass(symbol) });
}
