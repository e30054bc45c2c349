import { WAD } from '../fixed-point/math';

/**
 * One market of a wallet. Factors, exchange rate and price are mantissas (wad; the price has 36 − decimals
 * decimals).
 */
export interface CompoundHolding {
  /** Balance of the market's token. */
  tokens: bigint;
  /** Debt with interest, in units of the underlying. */
  borrowed: bigint;
  /** Units of the underlying for one token, times 1e18. */
  exchangeRate: bigint;
  price: bigint;
  /** Share of the value that secures debt before it may be liquidated. */
  threshold: bigint;
  /** Entered by the wallet: only then it counts. */
  entered: boolean;
}

/** Sums in dollars with 18 decimals. */
export interface CompoundTotals {
  totalCollateral: bigint;
  /** Collateral weighted with the thresholds. */
  weightedCollateral: bigint;
  totalDebt: bigint;
  /** weightedCollateral / totalDebt in wad, rounded down. Null without debt. */
  healthFactor: bigint | null;
}

const mul = (a: bigint, b: bigint): bigint => (a * b) / WAD;

/** The order in which threshold, exchange rate and price are multiplied: every product is rounded down on the way. */
export type CompoundOrder = 'threshold-first' | 'price-first';

/**
 * Sums of a wallet.
 * - threshold-first: Compound v2, Moonwell, BENQI and the core pool of Venus (ComptrollerV2.getHypotheticalAccountLiquidityInternal)
 * - price-first: isolated pools of Venus (Comptroller._calculateAccountSnapshot of `@venusprotocol/isolated-pools`)
 * @param extraDebt owed outside of the markets, in dollars with 18 decimals (VAI)
 */
export function compoundTotals(
  holdings: readonly CompoundHolding[],
  order: CompoundOrder,
  extraDebt = 0n,
): CompoundTotals {
  let totalCollateral = 0n;
  let weightedCollateral = 0n;
  let totalDebt = 0n;
  for (const { tokens, borrowed, exchangeRate, price, threshold, entered } of holdings) {
    if (!entered) continue;
    const tokenPrice = mul(exchangeRate, price);
    const weightedPrice =
      order === 'threshold-first' ? mul(mul(threshold, exchangeRate), price) : mul(threshold, tokenPrice);
    totalCollateral += mul(tokenPrice, tokens);
    weightedCollateral += mul(weightedPrice, tokens);
    totalDebt += mul(price, borrowed);
  }
  totalDebt += extraDebt;
  const healthFactor = totalDebt === 0n ? null : (weightedCollateral * WAD) / totalDebt;
  return { totalCollateral, weightedCollateral, totalDebt, healthFactor };
}

/** Units of the underlying for an amount of a market's tokens. */
export function compoundUnderlying(tokens: bigint, exchangeRate: bigint): bigint {
  return mul(tokens, exchangeRate);
}
