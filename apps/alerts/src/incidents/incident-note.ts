import type { IncidentFactKind, Severity } from '@plimsoll/contracts';
import type { AlertRecord } from '../alerts/alert-record';
import type { PositionState } from '../evaluation/position-state';

/** Something that happened to a position of an account: a fact of the account's incident, if there is or will be one. */
export interface IncidentNote {
  type: IncidentFactKind;
  accountId: string;
  position: PositionState;
  /** The alert that opened, escalated or resolved; null for the other kinds. */
  alert: AlertRecord | null;
  /** Severity of the alert at that moment; null for the other kinds. */
  severity: Severity | null;
  message: string;
  /** Milliseconds since 1970. */
  atMs: number;
}
