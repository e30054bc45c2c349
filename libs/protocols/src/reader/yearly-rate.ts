const SECONDS_PER_YEAR = 365 * 86_400;

/** A rate a second (wad) as a share a year, 0.05 being 5 %. */
export function yearlyRate(perSecond: bigint): number {
  return (Number(perSecond) / 1e18) * SECONDS_PER_YEAR;
}
