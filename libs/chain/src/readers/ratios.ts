import type { RawLeg, RawPosition } from './raw-position';

/** So many stored units of something whose worth moves with the market. */
export interface RatioLeg {
  /** Which worth it follows, as `worthsOf` names it. */
  unitValue: string;
  side: RawLeg['side'];
  units: number;
  /** Share of the worth that counts; 1 on the debt side. */
  weight: number;
}

/** The worth of the collateral legs over that of the debt legs. */
export interface Ratio {
  legs: readonly RatioLeg[];
  /** Where the evaluation stays what it is, both ends included; null: the ratio is the health factor itself. */
  within: { low: number; high: number } | null;
  /** Relative error of the ratio to what the contract's whole numbers come to, as long as no worth falls to a sixteenth. */
  slack: number;
}

/**
 * What a family's evaluations hang on, for whoever wants to know which of many to make: while the shape of the market is the
 * same and an account is, its positions are the same but for what the worths of its ratios change. Pure.
 */
export interface Ratios<Market, Account> {
  /** All of the market that evaluations depend on beside the worths: thresholds, oracles. */
  shapeOf(market: Market): string;
  /** What one stored unit is worth by name, all in one currency for legs of the same ratio; left out: not known in this block. */
  worthsOf(market: Market): ReadonlyMap<string, number>;
  /** Of a position with a health factor; null where an evaluation hangs on more than worths. */
  ratiosOf(market: Market, account: Account, position: RawPosition): readonly Ratio[] | null;
}

const WAD = 10n ** 18n;
/** Sums are rounded to units of the base currency; a sum that falls with its prices has this much room. */
const MARGIN = 16;
/** Roundings of a sum beside one a leg. */
const OWN_ROUNDINGS = 2;

/**
 * What the roundings of the contract come to, as a share: of each balance to one of its units, of each worth and each sum to
 * one of the base currency's, of the health factor to one wei. Infinity where nothing is left after them.
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
