import { BAND_TURNS } from '../bands/band';
import { EVENT_PER_TEN_THOUSAND } from './detect-change';

const WAD = 1e18;

/**
 * Health factors between which a position that was last published at this one (wad) causes no event, if no
 * probability determines its band: less than a basis point away, and on the same side of every edge of a
 * band.
 */
export function unaffectedRange(publishedRaw: bigint): { low: number; high: number } {
  const published = Number(publishedRaw) / WAD;
  const step = (published * Number(EVENT_PER_TEN_THOUSAND)) / 10_000;
  let [low, high] = [published - step, published + step];
  for (const turn of BAND_TURNS) {
    const at = Number(turn) / WAD;
    // Exactly on an edge, both sides may be another band.
    if (turn <= publishedRaw) low = Math.max(low, at);
    if (turn >= publishedRaw) high = Math.min(high, at);
  }
  return { low, high };
}
