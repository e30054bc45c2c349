import type { RawLeg, RawPosition } from './raw-position';

/** A number of stored units of an item whose value moves with the market. */
export interface RatioLeg {
  /** The name of its unit value in `worthsOf`. */
  unitValue: string;
  side: RawLeg['side'];
  units: number;
  /** Share of the value that counts; 1 on the debt side. */
  weight: number;
}

/** The value of the collateral legs divided by that of the debt legs. */
export interface Ratio {
  legs: readonly RatioLeg[];
  /**
   * The range in which the evaluation stays the same, both ends included. Null: the ratio is the health
   * factor itself.
   */
  within: { low: number; high: number } | null;
  /**
   * Relative error of the ratio against the contract's integer arithmetic, as long as no unit value falls to
   * a sixteenth.
   */
  slack: number;
}

/**
 * The inputs of a family's evaluations. They show which of many evaluations are necessary: while the shape of
 * the market and an account stay the same, only the unit values of its ratios change its positions. Pure.
 */
export interface Ratios<Market, Account> {
  /** The parts of the market beside the unit values on which evaluations depend: thresholds, oracles. */
  shapeOf(market: Market): string;
  /**
   * The value of one stored unit by name, in one currency for all legs of a ratio. Omitted if it is unknown
   * in this block.
   */
  unitValuesOf(market: Market): ReadonlyMap<string, number>;
  /**
   * The ratios of a position with a health factor. Null if its evaluation depends on more than unit values.
   */
  ratiosOf(market: Market, account: Account, position: RawPosition): readonly Ratio[] | null;
}

const WAD = 10n ** 18n;
/** Sums are rounded to units of the base currency. A sum that falls with its prices has this margin. */
const MARGIN = 16;
/** Roundings of a sum beside one a leg. */
const OWN_ROUNDINGS = 2;

/**
 * The total effect of the contract's rounding, as a share: each balance to one of its units, each unit value
 * and each sum to one unit of the base currency, the health factor to one wei. Infinity if the rounding
 * exceeds the amount.
 */
export function roundingOf({ legs, totalDebtRaw, healthFactorRaw }: RawPosition): number {
  if (healthFactorRaw === null) return Infinity;
  const counted = legs.filter(({ side, usedAsCollateral, liquidationThresholdBps }) => {
    return side === 'debt' || (usedAsCollateral && liquidationThresholdBps > 0n);
  });
  const balances = counted.reduce((most, { amountRaw }) => Math.max(most, 2 / Number(amountRaw)), 0);
  const sum = (value: bigint): number => (MARGIN * (counted.length + OWN_ROUNDINGS)) / Number(value);
  const ofDebt = balances + sum(totalDebtRaw);
  if (!counted.some(({ side }) => side === 'collateral')) return ofDebt;
  return ofDebt + sum((healthFactorRaw * totalDebtRaw) / WAD) + 2 / Number(healthFactorRaw);
}
