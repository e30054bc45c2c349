/** An exact decimal (`raw` / 10^decimals) as the nearest double; the last step before JSON. */
export function toDouble(raw: bigint, decimals: number): number {
  return Number(`${raw}e-${decimals}`);
}

export const WAD_DECIMALS = 18;

/** A health factor (wad) as a double; null without debt. */
export function healthFactorNumber(raw: bigint | null): number | null {
  return raw === null ? null : toDouble(raw, WAD_DECIMALS);
}
