import { type PositionAsset, priceSymbol } from '@plimsoll/contracts';
import { arithmeticOfHeld, shockedHealthFactor, shockedPrice } from '@plimsoll/protocols/math';
import type { HeldPosition } from '@plimsoll/risk-position';

/** Relative price after a shock by price symbol. An asset that is not in it keeps its price. */
export type PriceFactors = ReadonlyMap<string, number>;

/** The oracle's integer after the shock, rounded to the nearest. */
export const shockedPriceRaw = ({ asset, priceRaw }: PositionAsset, factors: PriceFactors): bigint =>
  shockedPrice(priceRaw, factors.get(priceSymbol(asset)) ?? 1);

/**
 * The contract's health factor (wad) at the shocked prices, in its own integer arithmetic. Null if that is
 * unknown. Aave's arithmetic is used if it gives today's health factor to the last digit.
 */
export function exactHealthFactor(position: HeldPosition, factors: PriceFactors): bigint | null {
  const arithmetic = arithmeticOfHeld(position);
  const factorOf = (asset: string): number => factors.get(priceSymbol(asset)) ?? 1;
  return arithmetic && shockedHealthFactor(arithmetic, position, factorOf);
}

/**
 * The contract's health factor (wad) with other thresholds. Null if its arithmetic is unknown.
 * @param today the current position, whose health factor identifies the arithmetic
 */
export function exactHealthFactorOf(today: HeldPosition, moved: HeldPosition): bigint | null {
  const arithmetic = arithmeticOfHeld(today);
  return arithmetic && shockedHealthFactor(arithmetic, moved, () => 1);
}
