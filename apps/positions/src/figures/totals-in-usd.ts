import type { RawPosition } from '@plimsoll/chain';
import { WAD_DECIMALS, toDouble } from './units';

type Totals = Pick<RawPosition, 'totalCollateralRaw' | 'totalDebtRaw' | 'priceDecimals' | 'usdPerBaseRaw'>;

/** Collateral and debt of positions in any base currencies, summed exactly and made doubles at the end. */
export function totalsInUsd(positions: readonly Totals[]): {
  totalCollateralUsd: number;
  totalDebtUsd: number;
  netWorthUsd: number;
} {
  const decimals = positions.reduce((most, { priceDecimals }) => Math.max(most, priceDecimals), 0);
  let [collateral, debt] = [0n, 0n];
  for (const { totalCollateralRaw, totalDebtRaw, priceDecimals, usdPerBaseRaw } of positions) {
    const scale = (usdPerBaseRaw ?? 0n) * 10n ** BigInt(decimals - priceDecimals);
    collateral += totalCollateralRaw * scale;
    debt += totalDebtRaw * scale;
  }
  return {
    totalCollateralUsd: toDouble(collateral, decimals + WAD_DECIMALS),
    totalDebtUsd: toDouble(debt, decimals + WAD_DECIMALS),
    netWorthUsd: toDouble(collateral - debt, decimals + WAD_DECIMALS),
  };
}
