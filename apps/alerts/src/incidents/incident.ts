import type { IncidentTrigger, Severity } from '@plimsoll/contracts';

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
