import type { AlertResolveReason } from '@plimsoll/contracts';
import { COOLDOWN_MS } from '../../lifecycle/alert';
import type { AlertMemory } from '../../lifecycle/known-alerts';
import { DROP_OPENS_AT } from '../../positions/collateral-drop';

const DROP_ENDS_BELOW = 0.15;

/** The inputs of a position's collateral_drop alert. */
export interface DropInput {
  closed: boolean;
  /** True when the account watches the position's wallet. */
  watched: boolean;
  /** Collateral and debt are both below the account's minimum for alerts. */
  isDust: boolean;
  hasDebt: boolean;
  /** An alert about its health factor is active. That alert also reports the drop. */
  isInDanger: boolean;
  /** Share that the collateral lost within the last hour, 0 to 1. */
  collateralDrop: number;
  /** When the window moves next, milliseconds since 1970. */
  dropChangesAtMs: number;
}

export type DropAction =
  | { kind: 'open' }
  | { kind: 'resolve'; reason: AlertResolveReason }
  /** To be evaluated again at `dueAtMs`: it cools down, or may end by itself. */
  | { kind: 'wait'; dueAtMs: number };

/**
 * Returns the actions for the collateral_drop alert of one account and position in its present state.
 * @param nowMs milliseconds since 1970
 */
export function evaluateDrop(position: DropInput, memory: AlertMemory, nowMs: number): DropAction[] {
  const lookAgain: DropAction = { kind: 'wait', dueAtMs: position.dropChangesAtMs };
  if (memory.isActive) {
    const reason = reasonToResolve(position);
    return [reason ? { kind: 'resolve', reason } : lookAgain];
  }
  const { watched, closed, isDust, hasDebt, isInDanger, collateralDrop } = position;
  if (!watched || closed || isDust || !hasDebt || isInDanger || collateralDrop < DROP_OPENS_AT) return [];
  const dueAtMs = memory.lastResolvedAtMs === null ? nowMs : memory.lastResolvedAtMs + COOLDOWN_MS;
  return nowMs < dueAtMs ? [{ kind: 'wait', dueAtMs }] : [{ kind: 'open' }, lookAgain];
}

function reasonToResolve(position: DropInput): AlertResolveReason | null {
  if (!position.watched) return 'unwatched';
  if (position.closed) return 'closed';
  if (position.isDust) return 'dust';
  if (position.isInDanger) return 'escalated';
  return position.hasDebt && position.collateralDrop >= DROP_ENDS_BELOW ? null : 'recovered';
}
