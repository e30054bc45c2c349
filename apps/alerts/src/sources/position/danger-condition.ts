import {
  type AlertCause,
  type AlertResolveReason,
  type Band,
  type Severity,
  bandRank,
} from '@plimsoll/contracts';
import { COOLDOWN_MS, type PositionAlert, wasRemoved } from '../../lifecycle/alert';
import type { AlertSlot } from '../../lifecycle/known-alerts';
import { type DangerType, dangerTypeOf, isDanger, severityOf } from '../../positions/danger-level';

/** Least time between two updates of an alert whose level stays the same. */
export const UPDATE_EVERY_MS = 60_000;
/** Smallest relative change of a health factor that an update reports. */
const LEAST_CHANGE = 1e-4;

/** The inputs of a position's danger alert. */
export interface DangerInput {
  /** The result of `levelOf`. */
  level: Band;
  healthFactor: number | null;
  /**
   * Market price of the asset whose depeg decides the level, USD. Null when the contract's figures decide.
   */
  depegUsd: number | null;
  closed: boolean;
  /** True when the account watches the position's wallet. */
  watched: boolean;
  /** Collateral and debt are both below the account's minimum for alerts. */
  isDust: boolean;
  /** Lowest block that a reorg removed since the state before. Null without a reorg. */
  orphanedFrom: number | null;
}

/** The danger alert of an account on a position, and the last resolved one. */
export interface DangerMemory {
  active: {
    level: Band;
    /** The last published value. Also null when unknown. */
    healthFactor: number | null;
    depegUsd: number | null;
    /** Time of the last publication. */
    updatedAtMs: number;
    /** Blocks in which it opened and in which it last worsened. Null when unknown. */
    openedBlock: number | null;
    worsenedBlock: number | null;
  } | null;
  /** The last resolved alert, with the level of the position then. Null when no cooldown can be running. */
  lastResolved: { level: Band; resolvedAtMs: number } | null;
}

export type DangerAction =
  | { kind: 'open'; type: DangerType; severity: Severity }
  /** Another alert replaces the open one, which resolves as `escalated`. */
  | { kind: 'replace'; type: DangerType; severity: Severity }
  | { kind: 'escalate'; severity: Severity }
  | { kind: 'update'; severity: Severity; isRetracted: boolean }
  | { kind: 'resolve'; reason: AlertResolveReason }
  /** To be evaluated again at `dueAtMs`: it cools down, or has figures that may be published then. */
  | { kind: 'wait'; dueAtMs: number };

/**
 * Returns the actions for the danger alert of one account on one position
 * (docs/decisions/0026-one-alert-for-one-danger.md).
 * @param nowMs milliseconds since 1970
 */
export function evaluateDanger(
  position: DangerInput,
  memory: DangerMemory,
  nowMs: number,
): DangerAction | null {
  return memory.active === null
    ? opening(position, memory.lastResolved, nowMs)
    : changing(position, memory.active, nowMs);
}

function opening(
  position: DangerInput,
  lastResolved: DangerMemory['lastResolved'],
  nowMs: number,
): DangerAction | null {
  const { level } = position;
  if (!position.watched || position.closed || position.isDust || !isDanger(level)) return null;
  const dueAtMs = lastResolved ? lastResolved.resolvedAtMs + COOLDOWN_MS : nowMs;
  // A recovered alert resolved at a safe level. The next one is worse and does not wait.
  const isWorse = lastResolved === null || bandRank(level) > bandRank(lastResolved.level);
  if (nowMs < dueAtMs && !isWorse && level !== 'liquidatable') return { kind: 'wait', dueAtMs };
  return { kind: 'open', type: dangerTypeOf(level), severity: severityOf(level) };
}

function changing(
  position: DangerInput,
  active: NonNullable<DangerMemory['active']>,
  nowMs: number,
): DangerAction | null {
  const { level, healthFactor, orphanedFrom } = position;
  if (!position.watched) return { kind: 'resolve', reason: 'unwatched' };
  if (position.closed || !isDanger(level)) {
    if (wasRemoved(active.openedBlock, orphanedFrom)) return { kind: 'resolve', reason: 'retracted' };
    return { kind: 'resolve', reason: position.closed ? 'closed' : 'recovered' };
  }
  if (position.isDust) return { kind: 'resolve', reason: 'dust' };
  const severity = severityOf(level);
  const worse = bandRank(level) - bandRank(active.level);
  if (worse > 0 && level === 'liquidatable') return { kind: 'replace', type: 'liquidation_risk', severity };
  if (worse > 0) return { kind: 'escalate', severity };
  if (worse < 0) {
    return { kind: 'update', severity, isRetracted: wasRemoved(active.worsenedBlock, orphanedFrom) };
  }
  const isSignificant =
    isSignificantChange(active.healthFactor, healthFactor) ||
    isSignificantChange(active.depegUsd, position.depegUsd);
  if (!isSignificant) return null;
  const dueAtMs = active.updatedAtMs + UPDATE_EVERY_MS;
  return nowMs < dueAtMs ? { kind: 'wait', dueAtMs } : { kind: 'update', severity, isRetracted: false };
}

function isSignificantChange(from: number | null, to: number | null): boolean {
  if (from === null || to === null) return from !== to;
  return Math.abs(to - from) >= from * LEAST_CHANGE;
}

export function dangerMemory({
  active,
  lastResolved,
}: Pick<AlertSlot, 'active' | 'lastResolved'>): DangerMemory {
  return {
    active: active && {
      level: levelOfAlert(active),
      healthFactor: active.healthFactor,
      depegUsd: depegOfAlert(active)?.toUsd ?? null,
      updatedAtMs: active.updatedAtMs,
      openedBlock: active.openedAt?.number ?? null,
      worsenedBlock: active.worsenedAt?.number ?? null,
    },
    lastResolved:
      lastResolved?.resolvedAtMs == null
        ? null
        : { level: lastResolved.level ?? 'none', resolvedAtMs: lastResolved.resolvedAtMs },
  };
}

/** Returns the last published depeg of an alert. Null for another cause. */
export function depegOfAlert({ content }: Pick<PositionAlert, 'content'>): AlertCause | null {
  return content?.cause?.kind === 'depeg' ? content.cause : null;
}

/**
 * Returns the level of a danger alert. An earlier release stored only the band, which does not show a health
 * factor below 1.
 */
export function levelOfAlert({ level, openedBand }: PositionAlert): Band {
  return level ?? (openedBand === 'liquidatable' ? 'critical' : openedBand);
}
