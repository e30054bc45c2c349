import type { AlertType, Correlation } from '@plimsoll/contracts';
import type { Depeg } from './depeg';
import type { PositionState } from './position-state';

/**
 * A state of a position to evaluate for every account that watches it, has a rule on it or has an alert about
 * it.
 */
export interface Evaluation {
  position: PositionState;
  /** The state before, for a new state. Null for a state that was evaluated before, and for the first one. */
  previous: PositionState | null;
  /**
   * Market prices in USD for this evaluation, as price.v1 names their assets. Others have their present
   * price.
   */
  prices?: Readonly<Record<string, number>>;
  /** Milliseconds since 1970: time of the block, or now when an old state is evaluated again. */
  atMs: number;
  /** Blocks between the state and the newest known block of its chain. */
  ageBlocks: number;
  /** Lowest block that a reorg removed since the state before. Absent without a reorg. */
  orphanedFrom?: number;
  /** Correlation of the event that carried the state. */
  cause: Correlation;
  /** The account whose request is the cause. Absent for a cause that belongs to none. */
  causedBy?: string;
  /**
   * The depeg that makes `position.level` worse than the contract's figures, for one account. Absent without
   * one.
   */
  depeg?: Depeg;
}

/** A stored state to evaluate again. @param causedBy the account whose request is the cause */
export const again = (
  position: PositionState,
  atMs: number,
  cause: Correlation,
  causedBy?: string,
): Evaluation => ({
  position,
  previous: null,
  atMs,
  ageBlocks: 0,
  cause,
  ...(causedBy !== undefined && { causedBy }),
});

/** Returns the correlation for what an account receives. No account receives that of another's request. */
export const causeFor = (accountId: string, { cause, causedBy }: Evaluation): Correlation =>
  causedBy === undefined || causedBy === accountId ? cause : {};

/** A position to evaluate again without an event, because an alert may open, change or end then. */
export interface DueOpening {
  positionId: string;
  accountId: string;
  type: AlertType;
  /** Null for an alert without a rule. */
  ruleId: string | null;
  dueAtMs: number;
  cause: Correlation;
}
