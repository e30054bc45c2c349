import type { AlertV1, Correlation } from '@plimsoll/contracts';
import type { AlertRecord } from '../alerts/alert-record';
import type { PositionState } from './position-state';
import type { StandingType } from './standing-conditions';

/** A state of a position, to be evaluated for every account that watches it or has an alert on it. */
export interface Evaluation {
  position: PositionState;
  /** Blocks between the state and the newest block known of its chain. */
  ageBlocks: number;
  /** The call that brought the state about. */
  cause: Correlation;
}

/** An alert that waits for the end of its cooldown. */
export interface DueOpening {
  positionId: string;
  accountId: string;
  type: StandingType;
  dueAtMs: number;
  cause: Correlation;
}

/** What a batch of evaluations comes to, to be written in one transaction. */
export interface Outcome {
  /** New alerts; those that were resolved again within the batch have their resolvedAtMs. */
  opened: AlertRecord[];
  /** Alerts of before that are resolved now. */
  resolved: AlertRecord[];
  /** What is published, in order. */
  events: { value: AlertV1; cause: Correlation }[];
  /** All that waits on the evaluated positions; whatever waited before is void. */
  due: DueOpening[];
}
