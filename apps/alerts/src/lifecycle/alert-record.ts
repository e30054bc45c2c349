import type { AlertContent, AlertResolveReason, AlertType, Band, Severity } from '@plimsoll/contracts';
import { isDangerType } from '../positions/danger-level';

/** A row of `alerts` about a position. Times are in milliseconds since 1970. */
export interface AlertRecord {
  id: string;
  accountId: string;
  positionId: string;
  type: AlertType;
  severity: Severity;
  title: string;
  message: string;
  /** Band of the position when the alert opened. */
  openedBand: Band;
  confidenceScore: number;
  /** The rule that fired. Null for an alert without a rule. */
  ruleId: string | null;
  /** The only webhook endpoint that receives the alert. Null: every endpoint that subscribes to alerts. */
  targetWebhookId: string | null;
  incidentId: string | null;
  createdAtMs: number;
  /** Null while the alert is active. */
  resolvedAtMs: number | null;
  resolveReason: AlertResolveReason | null;
  /** The alert that replaced this one. */
  escalatedTo: string | null;
  /**
   * Level of the position when the alert last changed. Null when this is no danger alert, or one of an
   * earlier release.
   */
  level: Band | null;
  /** The last published value. Also null without debt. */
  healthFactor: number | null;
  /** Time of the last change. */
  updatedAtMs: number;
  /** Number of changes, from 1. */
  revision: number;
  /** Block of the state that opened the alert, and block of the state that last made it worse. */
  openedAt: BlockRef | null;
  worsenedAt: BlockRef | null;
  /** The last published content. Null for an alert of an earlier release that has not changed since. */
  content: AlertContent | null;
}

export interface BlockRef {
  number: number;
  hash: string | null;
}

/**
 * Key of which an account and position have at most one active alert: danger, another built-in type, or a
 * rule.
 */
export function alertKey({ type, ruleId }: Pick<AlertRecord, 'type' | 'ruleId'>): string {
  return ruleId ?? (isDangerType(type) ? 'danger' : type);
}
