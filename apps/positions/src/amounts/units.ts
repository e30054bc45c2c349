import type { RawPosition } from '@plimsoll/protocols';

/** An exact decimal (`raw` / 10^decimals) as the nearest double. This is the last step before JSON. */
export function toDouble(raw: bigint, decimals: number): number {
  return Number(`${raw}e-${decimals}`);
}

/**
 * Units of a position's base currency (`raw` / 10^decimals) in dollars.
 * @throws RangeError when the position has no dollar price: such a position is unreadable and never shown
 */
export function toUsd(
  raw: bigint,
  decimals: number,
  { usdPerBaseRaw }: Pick<RawPosition, 'usdPerBaseRaw'>,
): number {
  if (usdPerBaseRaw === null) throw new RangeError('the position has no dollar price');
  if (usdPerBaseRaw === WAD) return toDouble(raw, decimals);
  return toDouble(raw * usdPerBaseRaw, decimals + WAD_DECIMALS);
}

export const WAD_DECIMALS = 18;
const WAD = 10n ** 18n;

/** A health factor (wad) as a double. Null without debt. */
export function healthFactorNumber(raw: bigint | null): number | null {
  return raw === null ? null : toDouble(raw, WAD_DECIMALS);
}
