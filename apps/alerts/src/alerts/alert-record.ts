import type { AlertContent, AlertResolveReason, AlertType, Band, Severity } from '@plimsoll/contracts';
import { isDangerType } from '../evaluation/danger-level';

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
  /** The one webhook endpoint that gets it; null: all that subscribe to alerts. */
  targetWebhookId: string | null;
  incidentId: string | null;
  createdAtMs: number;
  /** Null: active. */
  resolvedAtMs: number | null;
  resolveReason: AlertResolveReason | null;
  /** The alert that replaced it. */
  escalatedTo: string | null;
  /** Level of the position when the alert last changed; null: not a danger alert, or one of an earlier release. */
  level: Band | null;
  /** As last published; null without debt too. */
  healthFactor: number | null;
  /** When it last changed. */
  updatedAtMs: number;
  /** Counts the changes from 1. */
  revision: number;
  /** Block of the state that opened it, and of the one that last made it worse. */
  openedAt: BlockPlace | null;
  worsenedAt: BlockPlace | null;
  /** As last published; null: one of an earlier release that has not changed since. */
  content: AlertContent | null;
}

export interface BlockPlace {
  number: number;
  hash: string | null;
}

/** What at most one alert of an account and position is active of: danger, a standing type, or a rule. */
export function alertKey({ type, ruleId }: Pick<AlertRecord, 'type' | 'ruleId'>): string {
  return ruleId ?? (isDangerType(type) ? 'danger' : type);
}
