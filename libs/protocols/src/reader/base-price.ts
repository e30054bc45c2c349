/** The most decimals that a price may have outside (position.v1). */
const MAX_DECIMALS = 36;

/** Converts a price of any precision to the form in legs: with at most 36 decimals, and at least none. */
export function basePrice(priceRaw: bigint, decimals: number): { priceRaw: bigint; priceDecimals: number } {
  if (decimals > MAX_DECIMALS)
    return { priceRaw: priceRaw / 10n ** BigInt(decimals - MAX_DECIMALS), priceDecimals: MAX_DECIMALS };
  if (decimals < 0) return { priceRaw: priceRaw * 10n ** BigInt(-decimals), priceDecimals: 0 };
  return { priceRaw, priceDecimals: decimals };
}
