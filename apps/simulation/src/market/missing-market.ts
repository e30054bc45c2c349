import { Problem } from '@plimsoll/contracts';

const RETRY_AFTER = { 'retry-after': '60' };

/** Figures are computed from real prices or not at all. */
export function missingHistory(assets: readonly string[], minDays: number): Problem {
  return new Problem(
    'upstream_unavailable',
    `The price history of ${assets.join(', ')} is not available yet: ${minDays} days without a gap are needed. ` +
      'Try again later; what-if and stress-test need no history.',
    { headers: RETRY_AFTER },
  );
}

export function missingCovariance(assets: readonly string[]): Problem {
  return new Problem(
    'upstream_unavailable',
    `There are no volatilities of ${assets.join(', ')} yet: their price history is missing, too short or has gaps. ` +
      'Try again later; what-if and stress-test need none.',
    { headers: RETRY_AFTER },
  );
}
