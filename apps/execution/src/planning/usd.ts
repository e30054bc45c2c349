import type { RawLeg, RawPosition } from '@plimsoll/chain';

/** So much of a leg's token in USD, at the protocol's oracle price; 0 where nothing prices its currency. */
export function usdOf(leg: RawLeg, amountRaw: bigint, { usdPerBaseRaw }: RawPosition): number {
  const value = amountRaw * leg.priceRaw * (usdPerBaseRaw ?? 0n);
  return toDouble(value, leg.decimals + leg.priceDecimals + 18);
}

/** A fixed-point number as a double. */
export function toDouble(value: bigint, decimals: number): number {
  const text = value.toString().padStart(decimals + 1, '0');
  const point = text.length - decimals;
  return Number(`${text.slice(0, point)}.${text.slice(point)}`);
}

/** A health factor (wad) as the JSON number; null without debt. */
export function healthFactorNumber(raw: bigint | null): number | null {
  return raw === null ? null : toDouble(raw, 18);
}
