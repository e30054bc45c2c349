import type { RootCause } from '@plimsoll/contracts';

/** A position at a moment. Amounts are in USD. */
export interface PositionAtTime {
  healthFactor: number;
  collateralUsd: number;
  debtUsd: number;
}

/** The wallet's own actions between two moments, USD, and its debts. */
export interface OwnMoves {
  /** Withdrawn minus supplied. */
  withdrawnUsd: number;
  /** Borrowed minus repaid. */
  borrowedUsd: number;
  /** The value of its debt is pegged to a currency: only interest makes it grow. */
  owesStable: boolean;
}

/**
 * The part of each cause in a fall of the health factor, in logarithms. They add up to ln(before / after).
 */
export type Shares = Record<Exclude<RootCause, 'unknown' | 'oracle'>, number>;

const share = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(1, Math.max(0, part / whole));

/**
 * ln HF = ln collateral − ln debt + ln threshold, each without the wallet's own actions. Withdrawn collateral
 * and new debt are removed from their sides. The rest of the collateral's change comes from prices, and of a
 * stable debt's from interest.
 */
export function sharesOf(before: PositionAtTime, after: PositionAtTime, moves: OwnMoves): Shares {
  const collateral = Math.log(before.collateralUsd / after.collateralUsd);
  const debt = Math.log(after.debtUsd / before.debtUsd);
  const withdrawn = share(moves.withdrawnUsd, before.collateralUsd - after.collateralUsd);
  const borrowed = share(moves.borrowedUsd, after.debtUsd - before.debtUsd);
  const grown = moves.owesStable ? 1 : borrowed;
  return {
    price: collateral * (1 - withdrawn) + debt * (1 - grown),
    withdrawal: collateral * withdrawn,
    debt_growth: debt * grown,
    protocol_change: Math.log(threshold(before) / threshold(after)),
  };
}

/** Average liquidation threshold: HF · debt / collateral. */
function threshold({ healthFactor, collateralUsd, debtUsd }: PositionAtTime): number {
  return (healthFactor * debtUsd) / collateralUsd;
}

/**
 * The cause with the largest share. Unknown when nothing lowered the health factor, or figures are missing.
 */
export function rootCauseOf(shares: Shares, oracleFailed: boolean): RootCause {
  const [largest] = (Object.entries(shares) as [keyof Shares, number][]).toSorted((a, b) => b[1] - a[1]);
  if (!largest || !(largest[1] > 0) || !Number.isFinite(largest[1])) return 'unknown';
  return largest[0] === 'price' && oracleFailed ? 'oracle' : largest[0];
}
