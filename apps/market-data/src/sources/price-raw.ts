/** Decimals of every exact price of this service. */
export const PRICE_DECIMALS = 18;
const SCALE = 10n ** BigInt(PRICE_DECIMALS);

/**
 * Returns US dollars as an integer with 18 decimals, with exactly the digits of the number's shortest form.
 */
export function toPriceRaw(usd: number): bigint {
  const text = String(usd);
  const [whole = '0', fraction = ''] = (text.includes('e') ? usd.toFixed(PRICE_DECIMALS) : text).split('.');
  return BigInt(whole) * SCALE + BigInt(fraction.slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, '0'));
}

/** Converts a value with other decimals to 18 decimals. */
export function rescale(raw: bigint, decimals: number): bigint {
  return decimals <= PRICE_DECIMALS
    ? raw * 10n ** BigInt(PRICE_DECIMALS - decimals)
    : raw / 10n ** BigInt(decimals - PRICE_DECIMALS);
}

/** Returns the nearest double in US dollars. */
export function toUsd(raw: bigint): number {
  return Number(`${raw / SCALE}.${(raw % SCALE).toString().padStart(PRICE_DECIMALS, '0')}`);
}

/**
 * For an even number of prices, the mean of the two in the middle.
 * @throws RangeError without prices
 */
export function medianRaw(prices: readonly bigint[]): bigint {
  const sorted = [...prices].sort((a, b) => (a < b ? -1 : Number(a > b)));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined)
    throw new RangeError('There is no median of no prices. Give at least one.');
  return (lower + upper) / 2n;
}

/** Returns |a − b| in percent of b. */
export function distancePercent(a: bigint, b: bigint): number {
  const difference = a > b ? a - b : b - a;
  return Number((difference * 1_000_000_000n) / b) / 1e7;
}
