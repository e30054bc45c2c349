import { assetClass, priceSymbol } from '@plimsoll/contracts';
import { depthOf, type Depth } from '@plimsoll/risk-math';

/** How deep the market of an asset is, by its symbol in any case. */
export function depthOfSymbol(symbol: string): Depth {
  return depthOf({ symbol: priceSymbol(symbol), ...assetClass(symbol) });
}
