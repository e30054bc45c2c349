import {
  type HistoricalSnapshot,
  type IncidentAnswer,
  type IncidentFact,
  type RootCause,
  type WhaleActivityItem,
  isStableAsset,
} from '@plimsoll/contracts';
import type { PositionFacts } from '../facts/position-facts';
import { type OwnMoves, type Shares, type PositionAtTime, rootCauseOf, sharesOf } from './root-cause';

export type Incident = IncidentAnswer['incident'];

/** The most endangered position of the incident, before the incident and at its worst. */
export interface Evidence {
  worst: IncidentFact | null;
  before: HistoricalSnapshot | null;
  withdrawnUsd: number;
  borrowedUsd: number;
  shares: Shares | null;
  cause: RootCause;
}

/** The fact of the lowest health factor. Null when there is none. */
export function worstOf({ timeline }: Incident): IncidentFact | null {
  const withDebt = timeline.filter(({ healthFactor }) => healthFactor !== null);
  return withDebt.toSorted((a, b) => Number(a.healthFactor) - Number(b.healthFactor))[0] ?? null;
}

function positionAtTime(of: {
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
}): PositionAtTime | null {
  const { healthFactor, collateralUsd, debtUsd } = of;
  return healthFactor !== null && collateralUsd > 0 && debtUsd > 0
    ? { healthFactor, collateralUsd, debtUsd }
    : null;
}

/** Value moved by the wallet itself between two times: `plus` minus `minus`. */
function net(
  moves: readonly WhaleActivityItem[],
  [fromMs, toMs]: readonly [number, number],
  plus: WhaleActivityItem['action'],
  minus: WhaleActivityItem['action'],
): number {
  return moves
    .filter(({ timestamp }) => Date.parse(timestamp) > fromMs && Date.parse(timestamp) <= toMs)
    .reduce((sum, { action, usdValue }) => {
      if (action === plus) return sum + usdValue;
      return action === minus ? sum - usdValue : sum;
    }, 0);
}

/**
 * The causes that lowered the health factor between the safest moment of the day before and the worst of the
 * incident.
 * @param snapshots of the worst position; @param moves of its wallet in the protocol
 */
export function evidenceOf(
  incident: Incident,
  snapshots: readonly HistoricalSnapshot[],
  moves: readonly WhaleActivityItem[],
  position: PositionFacts | null,
  oracleFailed: boolean,
): Evidence {
  const worst = worstOf(incident);
  const none = {
    worst,
    before: null,
    withdrawnUsd: 0,
    borrowedUsd: 0,
    shares: null,
    cause: 'unknown' as const,
  };
  if (!worst) return none;
  const earlier = snapshots.filter(
    (each) => Date.parse(each.createdAt) <= Date.parse(worst.at) && positionAtTime(each) !== null,
  );
  const [before] = earlier.toSorted((a, b) => Number(b.healthFactor) - Number(a.healthFactor));
  const [then, now] = [before ? positionAtTime(before) : null, positionAtTime(worst)];
  if (!before || !then || !now) return none;
  const span = [Date.parse(before.createdAt), Date.parse(worst.at)] as const;
  const own: OwnMoves = {
    withdrawnUsd: net(moves, span, 'withdraw', 'supply'),
    borrowedUsd: net(moves, span, 'borrow', 'repay'),
    owesStable: (position?.legs ?? []).every(({ side, asset }) => side !== 'debt' || isStableAsset(asset)),
  };
  const shares = sharesOf(then, now, own);
  const { withdrawnUsd, borrowedUsd } = own;
  return { worst, before, withdrawnUsd, borrowedUsd, shares, cause: rootCauseOf(shares, oracleFailed) };
}
