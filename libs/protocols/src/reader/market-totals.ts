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

/** The balances of a market in one asset at a block, and the rates that it pays and charges. */
export interface ReserveState {
  /** In the token's smallest unit, interest included. Null if the market keeps no such sum. */
  suppliedRaw: bigint | null;
  borrowedRaw: bigint | null;
  /** Yearly rate, 0.05 is 5 %. Null if the protocol has no such rate. */
  supplyRate: number | null;
  borrowRate: number | null;
}

/** Identifies one asset of a market. */
export interface ReserveKey {
  /** The underlying token in lower case. The zero address is the chain's own coin. */
  token: `0x${string}`;
  /** The market of a protocol with many markets in one contract. Empty otherwise. */
  subId: string;
}
