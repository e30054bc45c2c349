import type { AlertV1 } from '@plimsoll/contracts';

/** What an alert about something else than a position is told with; times in milliseconds since 1970. */
export interface AlertWithoutPosition extends Pick<
  AlertV1,
  'accountId' | 'type' | 'severity' | 'title' | 'message' | 'confidenceScore'
> {
  id: string;
  createdAtMs: number;
  /** Null: active. */
  resolvedAtMs: number | null;
}

/** The alert as it is told to the other services. */
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
