import {
  BPS,
  type PlanLeg,
  type PlanPosition,
  WAD,
  amountOfValue,
  divideUp,
  lesser,
  valueOf,
  weightedCollateral,
} from './position';

/** Collateral to withdraw and sell, and the debt that it repays. */
export interface Sale<Leg extends PlanLeg = PlanLeg> {
  collateral: Leg;
  debt: Leg;
  /** The withdrawn amount, and the most that is sold. */
  sellRaw: bigint;
  /** Bought exactly and repaid. */
  repayRaw: bigint;
}

/** The costs of a sale. */
export interface SaleCosts {
  /** Most that the swap may lose against the oracle, its fee included. */
  slippageBps: bigint;
  /** The premium of a flash loan; 0 without one. */
  flashPremiumBps: bigint;
}

/** The share of a sold value that repays debt, wad: 1 − c, less the premium on the borrowed amount. */
export function netShare({ slippageBps, flashPremiumBps }: SaleCosts): bigint {
  return (WAD * (BPS - slippageBps)) / (BPS + flashPremiumBps);
}

/**
 * The sale of one collateral against one debt that reaches a target: S = (T·D − W) / (T·k − LT), R = D − (W −
 * S·LT)/T, all rounded so that the health factor after it is not below the target. Null if no sale of the
 * collateral reaches it.
 * @param targetRaw wad, above the position's health factor
 */
export function saleToTarget<Leg extends PlanLeg>(
  position: PlanPosition<Leg>,
  targetRaw: bigint,
  { collateral, debt }: Pick<Sale<Leg>, 'collateral' | 'debt'>,
  costs: SaleCosts,
): Sale<Leg> | null {
  const { totalDebtRaw, priceDecimals } = position;
  const weighted = weightedCollateral(position);
  const missing = targetRaw * totalDebtRaw - weighted * WAD;
  const threshold = (collateral.liquidationThresholdBps * WAD) / BPS;
  const gain = (targetRaw * netShare(costs)) / WAD - threshold;
  if (missing <= 0n || gain <= 0n || collateral.priceRaw <= 0n || debt.priceRaw <= 0n) return null;
  const sellRaw = amountOfValue(collateral, divideUp(missing, gain), priceDecimals);
  if (sellRaw > collateral.amountRaw) return null;
  // Rounded against the position: the remainder may be worth one unit less than the difference.
  const soldValue = valueOf(collateral, sellRaw, priceDecimals) + 1n;
  const left = weighted - divideUp(soldValue * threshold, WAD);
  const repaid = totalDebtRaw - (left * WAD) / targetRaw;
  const repayRaw = amountOfValue(debt, repaid, priceDecimals);
  return repayRaw > debt.amountRaw ? null : { collateral, debt, sellRaw, repayRaw };
}

/**
 * Parts of a sale for a wallet that withdraws collateral before it has repaid. The health factor after each
 * withdrawal must not be below the guard. Null if so many parts are not enough.
 * @param guardRaw wad, above 1
 */
export function saleInRounds<Leg extends PlanLeg>(
  position: PlanPosition<Leg>,
  sale: Sale<Leg>,
  { guardRaw, maxRounds }: { guardRaw: bigint; maxRounds: number },
): Sale<Leg>[] | null {
  const { priceDecimals } = position;
  const threshold = sale.collateral.liquidationThresholdBps;
  let weighted = weightedCollateral(position);
  let debt = position.totalDebtRaw;
  let { sellRaw, repayRaw } = sale;
  const rounds: Sale<Leg>[] = [];
  while (sellRaw > 0n) {
    const spare = weighted - divideUp(debt * guardRaw, WAD);
    if (rounds.length === maxRounds || spare <= 0n) return null;
    const unit = valueOf(sale.collateral, sale.collateral.amountRaw, priceDecimals) * threshold;
    // A collateral that secures nothing can be withdrawn completely.
    const free = unit === 0n ? sellRaw : (spare * BPS * sale.collateral.amountRaw) / unit;
    const sold = lesser(sellRaw, free);
    if (sold === 0n) return null;
    const repaid = sold === sellRaw ? repayRaw : (sale.repayRaw * sold) / sale.sellRaw;
    rounds.push({ ...sale, sellRaw: sold, repayRaw: repaid });
    weighted -= (valueOf(sale.collateral, sold, priceDecimals) * threshold) / BPS;
    debt -= valueOf(sale.debt, repaid, priceDecimals);
    sellRaw -= sold;
    repayRaw -= repaid;
  }
  return rounds;
}
