import { assetClass, priceSymbol } from '@plimsoll/contracts';
import { depthOf, type Depth } from '@plimsoll/risk-math';

/** Returns the market depth of an asset by its symbol, in any letter case. */
export function depthOfSymbol(symbol: string): Depth {
  return depthOf({ symbol: priceSymbol(symbol), ...assetClass(symbol) });
}
