import type { IncidentFactKind, Severity } from '@plimsoll/contracts';
import type { AlertRecord } from '../lifecycle/alert-record';
import type { PositionState } from '../positions/position-state';

/** An event of an account's position. It is a fact of the account's incident, if one is or becomes open. */
export interface IncidentNote {
  type: IncidentFactKind;
  accountId: string;
  position: PositionState;
  /** The alert that opened, escalated or resolved. Null for the other kinds. */
  alert: AlertRecord | null;
  /** Severity of the alert at that time. Null for the other kinds. */
  severity: Severity | null;
  message: string;
  /** Milliseconds since 1970. */
  atMs: number;
}
