import type { IncidentFactKind, IncidentTrigger, Severity } from '@plimsoll/contracts';
import type { PositionState } from '../positions/position-state';

/** An incident of an account in one protocol on one chain. Times are in milliseconds since 1970. */
export interface Incident {
  id: string;
  accountId: string;
  protocol: string;
  chainId: number;
  trigger: IncidentTrigger;
  /** The worst severity of its alerts. */
  severity: Severity;
  title: string;
  openedAtMs: number;
  /** Null while it is open. */
  closedAtMs: number | null;
}

/** Protocol and chain in which an account can have one open incident. */
export interface IncidentScope {
  accountId: string;
  protocol: string;
  chainId: number;
}

export function scopeKey({ accountId, protocol, chainId }: IncidentScope): string {
  return `${accountId}|${protocol}|${chainId}`;
}

/** An event of an account's position. It is a fact of the account's incident, if one is or becomes open. */
export interface IncidentNote {
  type: IncidentFactKind;
  accountId: string;
  position: PositionState;
  /** The alert that opened, escalated or resolved. Null for the other kinds. */
  alert: { id: string; createdAtMs: number; incidentId: string | null } | null;
  /** Severity of the alert at that time. Null for the other kinds. */
  severity: Severity | null;
  message: string;
  /** Milliseconds since 1970. */
  atMs: number;
}
