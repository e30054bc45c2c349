import type { AlertCause, Band } from '@plimsoll/contracts';
import { type AlertRecord, alertKey } from './alert-record';
import type { RuleMemory } from '../sources/rule/evaluate-rule';
import type { DropMemory } from '../sources/position/collateral-drop-condition';
import type { DangerMemory } from '../sources/position/danger-condition';

interface Slot {
  active: AlertRecord | null;
  lastResolved: AlertRecord | null;
  /** Further active alerts, because an earlier release could open two danger alerts. */
  surplus: AlertRecord[];
}

const EMPTY: Readonly<Slot> = { active: null, lastResolved: null, surplus: [] };
const DANGER = alertKey({ type: 'liquidation_risk', ruleId: null });
const DROP = alertKey({ type: 'collateral_drop', ruleId: null });

/** Active and recently resolved alerts by position, account and key, in their state within a batch. */
export class KnownAlerts {
  private readonly byPosition = new Map<string, Map<string, Map<string, Slot>>>();

  constructor(known: readonly AlertRecord[]) {
    for (const alert of known) this.store(alert);
  }

  /** Returns the accounts with an active or recent alert on the position. */
  accountsOf(positionId: string): Iterable<string> {
    return this.byPosition.get(positionId)?.keys() ?? [];
  }

  danger(positionId: string, accountId: string): Readonly<Slot> {
    return this.slot(positionId, accountId, DANGER);
  }

  dropMemory(positionId: string, accountId: string): DropMemory {
    const { active, lastResolved } = this.slot(positionId, accountId, DROP);
    return { isActive: active !== null, lastResolvedAtMs: lastResolved?.resolvedAtMs ?? null };
  }

  ruleMemory(positionId: string, accountId: string, ruleId: string): RuleMemory {
    const { active, lastResolved } = this.slot(positionId, accountId, ruleId);
    return { isActive: active !== null, lastClearedAtMs: lastResolved?.resolvedAtMs ?? null };
  }

  active(positionId: string, accountId: string, key: string): AlertRecord | null {
    return this.slot(positionId, accountId, key).active;
  }

  /** Stores an alert that opened or resolved. */
  store(alert: AlertRecord): void {
    const slot = this.slotToFill(alert);
    if (alert.resolvedAtMs === null) {
      const { active } = slot;
      const isWorse = active === null || alert.type === 'liquidation_risk';
      if (active && active !== alert) slot.surplus.push(isWorse ? active : alert);
      if (isWorse) slot.active = alert;
      return;
    }
    if (slot.active?.id === alert.id) slot.active = null;
    slot.surplus = slot.surplus.filter(({ id }) => id !== alert.id);
    // A replaced alert ended no danger. Its successor states when the danger ended.
    if (alert.resolveReason === 'escalated') return;
    if (alert.resolvedAtMs >= (slot.lastResolved?.resolvedAtMs ?? 0)) slot.lastResolved = alert;
  }

  private slot(positionId: string, accountId: string, key: string): Readonly<Slot> {
    return this.byPosition.get(positionId)?.get(accountId)?.get(key) ?? EMPTY;
  }

  private slotToFill(alert: AlertRecord): Slot {
    const byAccount = this.byPosition.get(alert.positionId) ?? new Map<string, Map<string, Slot>>();
    this.byPosition.set(alert.positionId, byAccount);
    const byKey = byAccount.get(alert.accountId) ?? new Map<string, Slot>();
    byAccount.set(alert.accountId, byKey);
    const slot = byKey.get(alertKey(alert)) ?? { active: null, lastResolved: null, surplus: [] };
    byKey.set(alertKey(alert), slot);
    return slot;
  }
}

export function dangerMemory({ active, lastResolved }: Pick<Slot, 'active' | 'lastResolved'>): DangerMemory {
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
export function depegOfAlert({ content }: Pick<AlertRecord, 'content'>): AlertCause | null {
  return content?.cause?.kind === 'depeg' ? content.cause : null;
}

/**
 * Returns the level of a danger alert. An earlier release stored only the band, which does not show a health
 * factor below 1.
 */
export function levelOfAlert({ level, openedBand }: AlertRecord): Band {
  return level ?? (openedBand === 'liquidatable' ? 'critical' : openedBand);
}
