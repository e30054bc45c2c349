import type { PositionLegV1, PositionV1 } from '@plimsoll/contracts';
import { type RiskPosition, healthFactor } from '@plimsoll/risk-math';
import { estimatedPosition } from './tracked-position';

/**
 * The outcome of a forecast. `liquidatable`: the health factor was below 1 within the horizon. `untouched`:
 * it was not, and the owner did not change the position. `censored`: the outcome is unknown.
 */
export type Outcome = 'liquidatable' | 'untouched' | 'censored';

/**
 * The reason why a forecast is censored: the owner changed the principal or closed the position, states of it
 * are missing in the log, or the wallet is no longer watched.
 */
export type CensorReason = 'principal' | 'closed' | 'missed' | 'unwatched';

/** Ends the open forecasts of a position that were made before this state of it. */
export interface Ending {
  positionId: string;
  /** The sequence of the state. Forecasts from it or a later one continue. */
  sequence: number;
  block: number;
  /**
   * Forecasts that had expired by then have their outcome already. Null: the time is unknown, and all open
   * ones end.
   */
  blockTime: string | null;
  outcome: Exclude<Outcome, 'untouched'>;
  reason: CensorReason | null;
}

/** The state after the events of one position. */
export interface Followed {
  /** The last state. Null: the position was closed. */
  latest: PositionV1 | null;
  endings: Ending[];
}

/**
 * Follows a tracked position through events in the order of the log.
 * @param tracked the known state
 * @param events states, and null for a state that was deleted from the log
 */
export function followPosition(tracked: PositionV1, events: readonly (PositionV1 | null)[]): Followed {
  let latest: PositionV1 | null = tracked;
  const endings: Ending[] = [];
  for (const event of events) {
    if (event === null) {
      if (latest) endings.push(unwatched(latest));
      latest = null;
    } else if (latest === null) latest = event;
    else if (event.sequence > latest.sequence) {
      const ending = endingOf(latest, event);
      if (ending) endings.push(ending);
      latest = event;
    }
  }
  return { latest, endings };
}

function unwatched({ id, sequence, block }: PositionV1): Ending {
  return {
    positionId: id,
    sequence: sequence + 1,
    block,
    blockTime: null,
    outcome: 'censored',
    reason: 'unwatched',
  };
}

/** The outcome that the step from one state to a later one decides. Null: none. */
function endingOf(before: PositionV1, after: PositionV1): Ending | null {
  const { id, sequence, block, blockTime } = after;
  const ending = { positionId: id, sequence, block, blockTime };
  const censored = (reason: CensorReason): Ending => ({ ...ending, outcome: 'censored', reason });
  const liquidatable: Ending = { ...ending, outcome: 'liquidatable', reason: null };
  const isChanged = principalOf(before) !== principalOf(after);
  const isNext = sequence === before.sequence + 1;
  if (!isChanged && isBelowOne(after.healthFactor)) return liquidatable;
  if (!isNext) {
    // The states in between were deleted from the log. The last of them shows that it was below 1. If the
    // principal is the same at both ends, it is certain that the owner had not changed it by then.
    if (!isChanged && isBelowOne(after.previousHealthFactor)) return liquidatable;
    return censored('missed');
  }
  if (!isChanged) return null;
  // A liquidation in the block of the fall changes the principal too, so the untouched position decides.
  if (isBelowOne(untouchedHealthFactor(before, after))) return liquidatable;
  return censored(after.closed ? 'closed' : 'principal');
}

const isBelowOne = (factor: number | null): boolean => factor !== null && factor < 1;

const keyOf = ({ side, address }: PositionLegV1): string => `${side} ${address}`;

/** Equal for two states between which only prices, interest and parameters moved. */
function principalOf({ legs }: PositionV1): string {
  return legs
    .filter(({ scaledRaw }) => BigInt(scaledRaw) !== 0n)
    .map((leg) => `${keyOf(leg)} ${leg.scaledRaw} ${leg.usedAsCollateral}`)
    .toSorted()
    .join('\n');
}

/**
 * The health factor that the position would have after a block in which its principal changed, without that
 * change: the old amounts with the new prices, thresholds and interest. A removed leg keeps its old price.
 * Error: that of the sum over the legs, scaled to the protocol's own figure before the change.
 */
export function untouchedHealthFactor(before: PositionV1, after: PositionV1): number | null {
  const now = new Map(after.legs.map((leg) => [keyOf(leg), leg]));
  const moved = (leg: PositionLegV1): PositionLegV1 => {
    const latest = now.get(keyOf(leg));
    if (!latest || latest.amount === 0 || latest.usdValue === 0) return leg;
    const scaled = Number(BigInt(latest.scaledRaw));
    const growth = scaled > 0 ? latest.amount / scaled : leg.amount / Number(BigInt(leg.scaledRaw));
    const amount = Number(BigInt(leg.scaledRaw)) * growth;
    return {
      ...leg,
      amount,
      usdValue: (amount * latest.usdValue) / latest.amount,
      liquidationThresholdBps: latest.liquidationThresholdBps,
    };
  };
  const position = (legs: PositionLegV1[]): RiskPosition =>
    estimatedPosition({ ...before, healthFactor: null, legs });
  const summedBefore = healthFactor(position(before.legs));
  const summedAfter = healthFactor(position(before.legs.map(moved)));
  if (!before.healthFactor || !summedBefore || summedAfter === null) return null;
  return (before.healthFactor / summedBefore) * summedAfter;
}
