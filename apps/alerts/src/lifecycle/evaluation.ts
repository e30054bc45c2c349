import type { AlertChangeV1, AlertType, AlertV1, AutomationV1, Correlation } from '@plimsoll/contracts';
import type { AlertRecord } from './alert-record';
import type { NewExecution } from '../sources/rule/execution';
import type { Depeg } from '../positions/depeg';
import type { IncidentNote } from '../incidents/incident-note';
import type { AlertTextVariant } from '../sources/position/alert-text';
import type { PositionState } from '../positions/position-state';

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
  /**
   * The depeg that makes `position.level` worse than the contract's figures, for one account. Absent without
   * one.
   */
  depeg?: Depeg;
}

/** An alert to evaluate again without an event. */
export interface DueOpening {
  positionId: string;
  accountId: string;
  type: AlertType;
  /** Null for an alert without a rule. */
  ruleId: string | null;
  dueAtMs: number;
  cause: Correlation;
}

/** An event to publish, with an id that the caller chose. */
export type AlertEvent = {
  eventId: string;
  cause: Correlation;
  /** Null for the text of a rule. */
  text: AlertTextVariant | null;
} & ({ topic: 'alert.v1'; value: AlertV1 } | { topic: 'alert-change.v1'; value: AlertChangeV1 });

/** A request for an execution. */
export interface AutomationRequest {
  value: AutomationV1;
  cause: Correlation;
}

/** The results of a batch of evaluations, to write in one transaction. */
export interface Outcome {
  /** New alerts. Those that resolved within the batch have their resolvedAtMs. */
  opened: AlertRecord[];
  /** Stored alerts that resolve now. */
  resolved: AlertRecord[];
  /** Stored alerts that stay active with another level, other figures or another block. */
  changed: AlertRecord[];
  /** The events to publish, in order. */
  events: AlertEvent[];
  /** Executions of rules. */
  executions: NewExecution[];
  /** The executions among them that run on chain. */
  requests: AutomationRequest[];
  /** Facts that may belong to an incident, in order. */
  notes: IncidentNote[];
  /** All due openings of the evaluated positions. Earlier ones are void. */
  due: DueOpening[];
}
