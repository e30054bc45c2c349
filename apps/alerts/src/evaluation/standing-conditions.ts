import { type Band, type Severity, bandRank, isWorse } from '@plimsoll/contracts';

/** Alerts of every account on its own positions, without a rule (contracts.md, Alerts). */
export type StandingType = 'health_factor_warning' | 'liquidation_risk';

/** Wait after a resolve before the same alert opens again, milliseconds (contracts.md, Alerts). */
export const COOLDOWN_MS = 300_000;

interface StandingCondition {
  type: StandingType;
  severity: Severity;
  /** Bands at which it opens. */
  opensAt: readonly Band[];
  /** Stays open down to this band and resolves below it. */
  holdsFrom: Band;
}

/** The worse one first: when a position recovers from critical to high, the resolve is told before the warning. */
export const STANDING_CONDITIONS: readonly StandingCondition[] = [
  {
    type: 'liquidation_risk',
    severity: 'critical',
    opensAt: ['critical', 'liquidatable'],
    holdsFrom: 'critical',
  },
  { type: 'health_factor_warning', severity: 'high', opensAt: ['high'], holdsFrom: 'high' },
];

/** A position as far as the conditions look at it. */
export interface ConditionInput {
  band: Band;
  closed: boolean;
  /** Does the account watch the position's wallet? */
  watched: boolean;
}

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
  /** Would open, but cools down: to be looked at again at `dueAtMs`. */
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
    if (isActive) {
      const reason = reasonToResolve(condition, position);
      return reason ? [{ kind: 'resolve', type, reason }] : [];
    }
    if (!position.watched || position.closed || !condition.opensAt.includes(position.band)) return [];
    const dueAtMs = lastResolved ? lastResolved.resolvedAtMs + COOLDOWN_MS : nowMs;
    if (lastResolved && nowMs < dueAtMs && !isWorse(position.band, lastResolved.openedBand)) {
      return [{ kind: 'wait', type, dueAtMs }];
    }
    return [{ kind: 'open', type, severity }];
  });
}

function reasonToResolve(condition: StandingCondition, position: ConditionInput): ResolveReason | null {
  if (!position.watched) return 'unwatched';
  if (position.closed) return 'closed';
  return bandRank(position.band) < bandRank(condition.holdsFrom) ? 'recovered' : null;
}
