/** 1.0 with 27 decimals: Aave's rates and indices. */
export const RAY = 10n ** 27n;
/** 1.0 with 18 decimals: health factors. */
export const WAD = 10n ** 18n;
/** 100 % in basis points. */
export const PERCENTAGE_FACTOR = 10_000n;

const HALF_RAY = RAY / 2n;
const HALF_PERCENTAGE = PERCENTAGE_FACTOR / 2n;

/** a · b / 1e27, half up (WadRayMath.rayMul). Arguments are never negative. */
export function rayMul(a: bigint, b: bigint): bigint {
  return (a * b + HALF_RAY) / RAY;
}

/**
 * a · 1e18 / b, half up (WadRayMath.wadDiv). @throws RangeError when b is 0, for which the contract reverts
 */
export function wadDiv(a: bigint, b: bigint): bigint {
  return (a * WAD + b / 2n) / b;
}

/** value · percentage / 10,000, half up (PercentageMath.percentMul). */
export function percentMul(value: bigint, percentage: bigint): bigint {
  return (value * percentage + HALF_PERCENTAGE) / PERCENTAGE_FACTOR;
}
