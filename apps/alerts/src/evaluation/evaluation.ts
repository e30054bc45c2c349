import type { AlertChangeV1, AlertType, AlertV1, AutomationV1, Correlation } from '@plimsoll/contracts';
import type { AlertRecord } from '../alerts/alert-record';
import type { NewExecution } from '../automation/execution';
import type { Depeg } from '../content/depeg';
import type { IncidentNote } from '../incidents/incident-note';
import type { AlertTextVariant } from './alert-text';
import type { PositionState } from './position-state';

/** A state of a position, to be evaluated for every account that watches it, has a rule or has an alert on it. */
export interface Evaluation {
  position: PositionState;
  /** The state before, when this one is news; null: it was evaluated before, or is the first. */
  previous: PositionState | null;
  /** Market prices in USD that it is evaluated at, as price.v1 names their assets; of the others, those of now. */
  prices?: Readonly<Record<string, number>>;
  /** Milliseconds since 1970: time of the block, or now where an old state is looked at again. */
  atMs: number;
  /** Blocks between the state and the newest block known of its chain. */
  ageBlocks: number;
  /** Lowest block that a reorg removed since the state before; absent: none. */
  orphanedFrom?: number;
  /** The call that brought the state about. */
  cause: Correlation;
  /** What makes `position.level` worse than the level of the contract's figures, for one account; absent: nothing does. */
  depeg?: Depeg;
}

/** An alert that is to be looked at again without an event. */
export interface DueOpening {
  positionId: string;
  accountId: string;
  type: AlertType;
  /** Null: a standing condition. */
  ruleId: string | null;
  dueAtMs: number;
  cause: Correlation;
}

/** An event to be published, under an id that is known beforehand. */
export type AlertEvent = {
  eventId: string;
  cause: Correlation;
  /** Null: the text of a rule. */
  text: AlertTextVariant | null;
} & ({ topic: 'alert.v1'; value: AlertV1 } | { topic: 'alert-change.v1'; value: AlertChangeV1 });

/** An execution that is asked for. */
export interface AutomationRequest {
  value: AutomationV1;
  cause: Correlation;
}

/** What a batch of evaluations comes to, to be written in one transaction. */
export interface Outcome {
  /** New alerts; those that were resolved again within the batch have their resolvedAtMs. */
  opened: AlertRecord[];
  /** Alerts of before that are resolved now. */
  resolved: AlertRecord[];
  /** Alerts of before that stay active with another level, other figures or another block. */
  changed: AlertRecord[];
  /** What is published, in order. */
  events: AlertEvent[];
  /** What rules did. */
  executions: NewExecution[];
  /** Those of them that are to be done on chain. */
  requests: AutomationRequest[];
  /** What may belong to an incident, in order. */
  notes: IncidentNote[];
  /** All that waits on the evaluated positions; whatever waited before is void. */
  due: DueOpening[];
}
