import type {
  AlertContent,
  AlertResolveReason,
  AlertSilence,
  AlertType,
  Band,
  Severity,
} from '@plimsoll/contracts';
import { isDangerType } from '../positions/danger-level';

/** Milliseconds after a resolve before the same alert may open again. */
export const COOLDOWN_MS = 300_000;

/** Title and message of an alert. */
export interface AlertText {
  title: string;
  message: string;
}

/** A text with the figures on which it is based. */
export interface AlertNotice extends AlertText {
  content?: AlertContent;
}

/** The subject of an alert. An account has at most one active alert of a type about a subject. */
export interface AlertSubject {
  positionId: string | null;
  /** The rule that fired, or whose execution failed. */
  ruleId: string | null;
  /** As price.v1 names it. */
  asset: string | null;
  /** The webhook endpoint that fails. */
  webhookId: string | null;
  /** The watched wallet, or the watched protocol on a chain, in which a whale moved. */
  whaleSubject: string | null;
  /** The announced change of a parameter. */
  changeId: string | null;
}

/** An alert of any kind. Times are in milliseconds since 1970. */
export interface Alert extends AlertText, Partial<AlertSubject> {
  id: string;
  accountId: string;
  type: AlertType;
  severity: Severity;
  confidenceScore: number;
  createdAtMs: number;
  /** The whale move that opened it. */
  whaleActivityId?: string | null;
}

/** An alert that depends on the state of a position. */
export interface PositionAlert extends Alert {
  positionId: string;
  ruleId: string | null;
  /** Band of the position when the alert opened. */
  openedBand: Band;
  /** The only webhook endpoint that receives the alert. Null: every endpoint that subscribes to alerts. */
  targetWebhookId: string | null;
  incidentId: string | null;
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
  /** How the account silenced it. Null: its changes are published, or it is resolved. */
  silence: AlertSilence | null;
  /** Severity when the silence began. */
  silencedSeverity: Severity | null;
  /** The content to store. Null for a stored alert whose content does not change. */
  content: AlertContent | null;
}

export interface BlockRef {
  number: number;
  hash: string | null;
}

/** Returns whether a reorg removed the block. */
export function wasRemoved(block: number | null, orphanedFrom: number | null): boolean {
  return block !== null && orphanedFrom !== null && orphanedFrom <= block;
}

/**
 * Key of which an account and position have at most one active alert: danger, another built-in type, or a
 * rule.
 */
export function alertKey({ type, ruleId }: Pick<PositionAlert, 'type' | 'ruleId'>): string {
  return ruleId ?? (isDangerType(type) ? 'danger' : type);
}
