import type { AlertType, Band, Severity } from '@plimsoll/contracts';

/** A row of `alerts` about a position as evaluation sees it; times in milliseconds since 1970. */
export interface AlertRecord {
  id: string;
  accountId: string;
  positionId: string;
  type: AlertType;
  severity: Severity;
  title: string;
  message: string;
  /** Band of the position when it opened. */
  openedBand: Band;
  confidenceScore: number;
  /** The rule that fired; null for a standing condition. */
  ruleId: string | null;
  /** The one webhook endpoint that is told; null: all that want alerts. */
  targetWebhookId: string | null;
  incidentId: string | null;
  createdAtMs: number;
  /** Null: active. */
  resolvedAtMs: number | null;
}

/** What at most one alert of an account and position is active of: a standing type, or a rule. */
export function alertKey({ type, ruleId }: Pick<AlertRecord, 'type' | 'ruleId'>): string {
  return ruleId ?? type;
}
