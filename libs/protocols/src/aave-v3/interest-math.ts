import { RAY, rayMul } from '../fixed-point/math';

const SECONDS_PER_YEAR = 365n * 86_400n;

/**
 * Growth factor (ray) of a supply at a yearly rate (ray) over the seconds since its last update: linear.
 * Source: MathUtils.calculateLinearInterest of `@aave/core-v3`.
 */
export function linearInterest(rate: bigint, seconds: bigint): bigint {
  return RAY + (rate * seconds) / SECONDS_PER_YEAR;
}

/**
 * Growth factor (ray) of a debt: the first terms of the binomial series of (1 + rate/year)^seconds, with the
 * contract's truncations. Source: MathUtils.calculateCompoundedInterest of `@aave/core-v3`.
 */
export function compoundedInterest(rate: bigint, seconds: bigint): bigint {
  if (seconds === 0n) return RAY;
  const minusTwo = seconds > 2n ? seconds - 2n : 0n;
  const powerTwo = rayMul(rate, rate) / (SECONDS_PER_YEAR * SECONDS_PER_YEAR);
  const powerThree = rayMul(powerTwo, rate) / SECONDS_PER_YEAR;
  const second = (seconds * (seconds - 1n) * powerTwo) / 2n;
  const third = (seconds * (seconds - 1n) * minusTwo * powerThree) / 6n;
  return RAY + (rate * seconds) / SECONDS_PER_YEAR + second + third;
}

/**
 * Growth factor (ray) of a debt in Aave v2: the series in the rate of a second, which is truncated before it is used.
 * Source: MathUtils.calculateCompoundedInterest of aave/protocol-v2.
 */
export function compoundedInterestV2(rate: bigint, seconds: bigint): bigint {
  if (seconds === 0n) return RAY;
  const minusTwo = seconds > 2n ? seconds - 2n : 0n;
  const perSecond = rate / SECONDS_PER_YEAR;
  const powerTwo = rayMul(perSecond, perSecond);
  const powerThree = rayMul(powerTwo, perSecond);
  const second = (seconds * (seconds - 1n) * powerTwo) / 2n;
  const third = (seconds * (seconds - 1n) * minusTwo * powerThree) / 6n;
  return RAY + perSecond * seconds + second + third;
}

/**
 * Growth factor (ray) of a debt from revision 3.6 on: the same series in the accrued rate x, with every product half up.
 * Source: MathUtils.calculateCompoundedInterest of `@aave-dao/aave-v3-origin` 3.6.0.
 */
export function compoundedInterestV36(rate: bigint, seconds: bigint): bigint {
  const x = (rate * seconds) / SECONDS_PER_YEAR;
  return RAY + x + rayMul(x, x / 2n + rayMul(x, x / 6n));
}

/**
 * The values that a reserve stored at its last update. Indices and rates are in ray, `lastUpdate` in unix
 * seconds.
 */
export interface ReserveAccrual {
  liquidityIndex: bigint;
  liquidityRate: bigint;
  variableBorrowIndex: bigint;
  variableBorrowRate: bigint;
  lastUpdate: bigint;
}

/** Index (ray) that turns a scaled supply into its balance at `timestamp` (unix seconds, not before `lastUpdate`). */
export function normalizedIncome(reserve: ReserveAccrual, timestamp: bigint): bigint {
  const seconds = timestamp - reserve.lastUpdate;
  if (seconds === 0n) return reserve.liquidityIndex;
  return rayMul(linearInterest(reserve.liquidityRate, seconds), reserve.liquidityIndex);
}

/**
 * Index (ray) that turns a scaled variable debt into its balance at `timestamp`.
 * @param compounded the series of the pool's revision
 */
export function normalizedDebt(
  reserve: ReserveAccrual,
  timestamp: bigint,
  compounded: typeof compoundedInterest = compoundedInterest,
): bigint {
  const seconds = timestamp - reserve.lastUpdate;
  if (seconds === 0n) return reserve.variableBorrowIndex;
  return rayMul(compounded(reserve.variableBorrowRate, seconds), reserve.variableBorrowIndex);
}

/**
 * A stable-rate debt (revisions up to 3.1): principal in token units, rate in ray, `since` in unix seconds.
 */
export interface StableDebt {
  principal: bigint;
  rate: bigint;
  since: bigint;
}

/**
 * Balance of a stable-rate debt at `timestamp`, in token units (StableDebtToken.balanceOf).
 * @param compounded the series of the pool's revision
 */
export function stableDebtBalance(
  debt: StableDebt,
  timestamp: bigint,
  compounded: typeof compoundedInterest = compoundedInterest,
): bigint {
  return debt.principal === 0n ? 0n : rayMul(debt.principal, compounded(debt.rate, timestamp - debt.since));
}
