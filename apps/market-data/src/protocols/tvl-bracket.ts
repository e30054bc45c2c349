import type { TvlBracket } from '@plimsoll/contracts';

/** Returns the TVL bracket of a value in USD. */
export function tvlBracket(tvlUsd: number): TvlBracket {
  if (tvlUsd < 10e6) return 'under_10m';
  if (tvlUsd < 100e6) return '10m_100m';
  if (tvlUsd < 1e9) return '100m_1b';
  return tvlUsd <= 10e9 ? '1b_10b' : 'over_10b';
}
