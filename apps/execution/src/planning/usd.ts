import type { RawLeg, RawPosition } from '@plimsoll/protocols';

/**
 * Returns the USD value of an amount at the protocol's oracle price, or 0 when its base currency has no
 * price.
 */
export function usdOf(leg: RawLeg, amountRaw: bigint, { usdPerBaseRaw }: RawPosition): number {
  const value = amountRaw * leg.priceRaw * (usdPerBaseRaw ?? 0n);
  return toDouble(value, leg.decimals + leg.priceDecimals + 18);
}

/** Returns a fixed-point number as a double. */
export function toDouble(value: bigint, decimals: number): number {
  const text = value.toString().padStart(decimals + 1, '0');
  const point = text.length - decimals;
  return Number(`${text.slice(0, point)}.${text.slice(point)}`);
}

/** Returns a health factor (wad) as the JSON number, or null without debt. */
export function healthFactorNumber(raw: bigint | null): number | null {
  return raw === null ? null : toDouble(raw, 18);
}
