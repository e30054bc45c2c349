import { type PositionAsset, priceSymbol } from '@plimsoll/contracts';

/** The holdings and debts of a position. */
export interface Holdings {
  collateralAssets: readonly PositionAsset[];
  debtAssets: readonly PositionAsset[];
}

/** The net amount for each price over all positions, debt negative, in USD. */
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
