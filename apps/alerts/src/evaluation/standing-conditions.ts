import { type Band, type Severity, bandRank, isWorse } from '@plimsoll/contracts';
import { COOLDOWN_MS } from './cooldown';

/** Alerts of every account on its own positions, without a rule (contracts.md, Alerts; docs/decisions/0008). */
export type StandingType = 'health_factor_warning' | 'liquidation_risk' | 'collateral_drop';

/** Share of its value that a collateral must lose within an hour, by prices alone, to be told. */
export const DROP_OPENS_AT = 0.2;
const DROP_HOLDS_FROM = 0.15;

/** A position as far as the conditions look at it. */
export interface ConditionInput {
  band: Band;
  closed: boolean;
  /** Does the account watch the position's wallet? */
  watched: boolean;
  hasDebt: boolean;
  /** Share that the collateral lost within the last hour, 0 to 1. */
  collateralDrop: number;
  /** When the hour moves on by itself, milliseconds since 1970. */
  dropChangesAtMs: number;
}

interface StandingCondition {
  type: StandingType;
  severity: Severity;
  opens(position: ConditionInput): boolean;
  /** False: an open one resolves. */
  holds(position: ConditionInput): boolean;
  /** Worse than when the last one opened: told within the cooldown too. */
  isWorse(position: ConditionInput, openedBand: Band): boolean;
  /** When an open one is to be looked at again without an event; null: events alone can end it. */
  changesAtMs(position: ConditionInput): number | null;
}

const bandWorsened: StandingCondition['isWorse'] = ({ band }, openedBand) => isWorse(band, openedBand);
const holdsFrom =
  (least: Band): StandingCondition['holds'] =>
  ({ band }) =>
    bandRank(band) >= bandRank(least);

/** The worse one first: when a position recovers from critical to high, the resolve is told before the warning. */
export const STANDING_CONDITIONS: readonly StandingCondition[] = [
  {
    type: 'liquidation_risk',
    severity: 'critical',
    opens: holdsFrom('critical'),
    holds: holdsFrom('critical'),
    isWorse: bandWorsened,
    changesAtMs: () => null,
  },
  {
    type: 'health_factor_warning',
    severity: 'high',
    opens: ({ band }) => band === 'high',
    holds: holdsFrom('high'),
    isWorse: bandWorsened,
    changesAtMs: () => null,
  },
  {
    type: 'collateral_drop',
    severity: 'high',
    opens: ({ hasDebt, collateralDrop }) => hasDebt && collateralDrop >= DROP_OPENS_AT,
    holds: ({ hasDebt, collateralDrop }) => hasDebt && collateralDrop >= DROP_HOLDS_FROM,
    isWorse: () => false,
    changesAtMs: ({ dropChangesAtMs }) => dropChangesAtMs,
  },
];

/** What is known of one type for one account and position. */
export interface StandingMemory {
  isActive: boolean;
  /** The last one resolved; null when there is none that could still be cooling down. */
  lastResolved: { openedBand: Band; resolvedAtMs: number } | null;
}

export type ResolveReason = 'recovered' | 'closed' | 'unwatched';

export type StandingAction =
  | { kind: 'open'; type: StandingType; severity: Severity }
  | { kind: 'resolve'; type: StandingType; reason: ResolveReason }
  /** To be looked at again at `dueAtMs`: it cools down, or may end by itself. */
  | { kind: 'wait'; type: StandingType; dueAtMs: number };

/**
 * What to do about one account and position in its present state.
 * @param nowMs milliseconds since 1970
 */
export function evaluateStandingConditions(
  position: ConditionInput,
  memory: Readonly<Record<StandingType, StandingMemory>>,
  nowMs: number,
): StandingAction[] {
  return STANDING_CONDITIONS.flatMap((condition): StandingAction[] => {
    const { type, severity } = condition;
    const { isActive, lastResolved } = memory[type];
    const again = condition.changesAtMs(position);
    const lookAgain: StandingAction[] = again === null ? [] : [{ kind: 'wait', type, dueAtMs: again }];
    if (isActive) {
      const reason = reasonToResolve(condition, position);
      return reason ? [{ kind: 'resolve', type, reason }] : lookAgain;
    }
    if (!position.watched || position.closed || !condition.opens(position)) return [];
    const dueAtMs = lastResolved ? lastResolved.resolvedAtMs + COOLDOWN_MS : nowMs;
    if (lastResolved && nowMs < dueAtMs && !condition.isWorse(position, lastResolved.openedBand)) {
      return [{ kind: 'wait', type, dueAtMs }];
    }
    return [{ kind: 'open', type, severity }, ...lookAgain];
  });
}

function reasonToResolve(condition: StandingCondition, position: ConditionInput): ResolveReason | null {
  if (!position.watched) return 'unwatched';
  if (position.closed) return 'closed';
  return condition.holds(position) ? null : 'recovered';
}
