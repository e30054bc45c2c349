import type { Address } from 'viem';
import { WAD } from '../fixed-point/math';

/** The time for which a contract states a rate. */
export type RatePeriod = 'year' | 'second' | 'block';

/** A rate of a market at a block. */
export interface StatedRate {
  /** A share for each period, with the decimals of the unit. */
  raw: bigint;
  /** The function of the contract, and its field. Null: the contract states none, and we computed it from others. */
  statedBy: string | null;
}

/** How a market states its rates. */
export interface RateUnit {
  /** Decimals of the share: 10^decimals is 100 %. */
  decimals: number;
  period: RatePeriod;
  /** Periods in a year, as the protocol counts them. Null: it does not say. */
  periodsPerYear: number | null;
  /** How often interest is added in a year. Null with periodsPerYear. */
  compoundsPerYear: number | null;
}

/** The rates that a market pays and charges for one of its assets. */
export interface AssetRates {
  /** The market of a protocol with many markets in one contract. Empty otherwise. */
  subId: string;
  /** The lent token. The zero address is the chain's own coin. */
  token: Address;
  symbol: string;
  /** The token that secures the loans of a market with only one. Null otherwise. */
  collateral: { token: Address; symbol: string } | null;
  unit: RateUnit;
  /** Null: the market could not state it. */
  supply: StatedRate | null;
  borrow: StatedRate | null;
}

const SECONDS_PER_YEAR = 365 * 86_400;

/** A share for each second, wad. */
export const PER_SECOND: RateUnit = {
  decimals: 18,
  period: 'second',
  periodsPerYear: SECONDS_PER_YEAR,
  compoundsPerYear: SECONDS_PER_YEAR,
};

/** A share for each second, ray. */
export const PER_SECOND_RAY: RateUnit = { ...PER_SECOND, decimals: 27 };

/** A share for each year, ray, that grows each second. */
export const PER_YEAR_RAY: RateUnit = {
  decimals: 27,
  period: 'year',
  periodsPerYear: 1,
  compoundsPerYear: SECONDS_PER_YEAR,
};

/** A share for each year, wad, that grows each second. */
export const PER_YEAR_WAD: RateUnit = { ...PER_YEAR_RAY, decimals: 18 };

/** A yearly rate without compounding, and with it: shares, 0.05 is 5 %. */
export interface YearlyRate {
  apr: number;
  apy: number;
}

/** The yearly rate. Null if the protocol does not say how many periods a year has. */
export function yearlyOf(raw: bigint, unit: RateUnit): YearlyRate | null {
  const { decimals, periodsPerYear, compoundsPerYear } = unit;
  if (periodsPerYear === null || compoundsPerYear === null) return null;
  const apr = (Number(raw) / 10 ** decimals) * periodsPerYear;
  // Rates of a second are near 1e-9, where (1 + x)^n − 1 would lose half of the digits of a double.
  return { apr, apy: Math.expm1(compoundsPerYear * Math.log1p(apr / compoundsPerYear)) };
}

/** The part of a borrow rate that suppliers receive: for the share that is lent, less the fee. wad, rounded down. */
export function suppliersShare(
  borrowRate: bigint,
  { supplied, borrowed, fee }: { supplied: bigint; borrowed: bigint; fee: bigint },
): bigint {
  if (supplied === 0n) return 0n;
  const utilization = (borrowed * WAD + supplied - 1n) / supplied;
  return (((borrowRate * (WAD - fee)) / WAD) * utilization) / WAD;
}
