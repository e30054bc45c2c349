import { type PositionAsset, priceSymbol } from '@plimsoll/contracts';

/** What a position holds and owes. */
export interface Holdings {
  collateralAssets: readonly PositionAsset[];
  debtAssets: readonly PositionAsset[];
}

/** What is held of each price over all positions, debt negative, in USD. */
export function netExposures(positions: readonly Holdings[]): Map<string, number> {
  const byAsset = new Map<string, number>();
  const add = ({ asset, usdValue }: PositionAsset, sign: 1 | -1): void => {
    const symbol = priceSymbol(asset);
    byAsset.set(symbol, (byAsset.get(symbol) ?? 0) + sign * usdValue);
  };
  for (const { collateralAssets, debtAssets } of positions) {
    for (const leg of collateralAssets) add(leg, 1);
    for (const leg of debtAssets) add(leg, -1);
  }
  return byAsset;
}
