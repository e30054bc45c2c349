import type { AlertV1 } from '@plimsoll/contracts';

/** Fields of an alert without a position. Times are in milliseconds since 1970. */
export interface AlertWithoutPosition extends Pick<
  AlertV1,
  'accountId' | 'type' | 'severity' | 'title' | 'message' | 'confidenceScore'
> {
  id: string;
  createdAtMs: number;
  /** Null while the alert is active. */
  resolvedAtMs: number | null;
}

/** Converts the alert to its event. */
export function alertWithoutPosition({
  id: alertId,
  createdAtMs,
  resolvedAtMs,
  accountId,
  type,
  severity,
  title,
  message,
  confidenceScore,
}: AlertWithoutPosition): AlertV1 {
  return {
    alertId,
    accountId,
    status: resolvedAtMs === null ? 'active' : 'resolved',
    type,
    severity,
    title,
    message,
    position: null,
    confidenceScore,
    createdAt: new Date(createdAtMs).toISOString(),
    resolvedAt: resolvedAtMs === null ? null : new Date(resolvedAtMs).toISOString(),
  };
}
