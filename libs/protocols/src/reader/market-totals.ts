/** The totals of one market at a block, at the protocol's oracle prices. */
export interface MarketTotals {
  suppliedUsd: number;
  borrowedUsd: number;
  /** Borrowed over supplied of each reserve, weighted by the borrowed amount; 0 without debt. */
  utilisation: number;
  block: bigint;
}

/** The totals of reserves, each with its supplied and borrowed amount in USD. */
export function totalsOf(
  reserves: readonly { suppliedUsd: number; borrowedUsd: number }[],
  block: bigint,
): MarketTotals {
  const totals = { suppliedUsd: 0, borrowedUsd: 0, utilisation: 0, block };
  let weighted = 0;
  for (const { suppliedUsd, borrowedUsd } of reserves) {
    totals.suppliedUsd += suppliedUsd;
    totals.borrowedUsd += borrowedUsd;
    if (suppliedUsd > 0) weighted += (borrowedUsd * borrowedUsd) / suppliedUsd;
  }
  return { ...totals, utilisation: totals.borrowedUsd > 0 ? weighted / totals.borrowedUsd : 0 };
}

/**
 * Converts a value in a market's currency to dollars as a double, which is the last step. @param
 * usdPerBaseRaw wad
 */
export function toUsd(value: bigint, decimals: number, usdPerBaseRaw: bigint): number {
  return Number(value * usdPerBaseRaw) / 10 ** (decimals + 18);
}

/** The totals of markets that mint the lent token. The collateral is not lent, so its utilisation is zero. */
export function mintedTotals(
  markets: readonly { collateralUsd: number; debtUsd: number }[],
  block: bigint,
): MarketTotals {
  const reserves = markets.flatMap(({ collateralUsd, debtUsd }) => [
    { suppliedUsd: collateralUsd, borrowedUsd: 0 },
    { suppliedUsd: 0, borrowedUsd: debtUsd },
  ]);
  return totalsOf(reserves, block);
}
