import { type PositionAlert, alertKey } from './alert';

/** Stored state of an alert of one account and position. */
export interface AlertMemory {
  isActive: boolean;
  /** When it last resolved, milliseconds since 1970. Null when no cooldown can be running. */
  lastResolvedAtMs: number | null;
}

/** The alerts of one account, position and key. */
export interface AlertSlot {
  active: PositionAlert | null;
  lastResolved: PositionAlert | null;
  /** Further active alerts, because an earlier release could open two danger alerts. */
  surplus: PositionAlert[];
}

const NO_ACCOUNTS: ReadonlyMap<string, unknown> = new Map();
const EMPTY: Readonly<AlertSlot> = { active: null, lastResolved: null, surplus: [] };
const DANGER = alertKey({ type: 'liquidation_risk', ruleId: null });

/** Active and recently resolved alerts by position, account and key, in their state within a batch. */
export class KnownAlerts {
  private readonly byPosition = new Map<string, Map<string, Map<string, AlertSlot>>>();

  constructor(known: readonly PositionAlert[]) {
    for (const alert of known) this.store(alert);
  }

  /** Returns the accounts with an active or recent alert on the position. */
  accountsOf(positionId: string): ReadonlyMap<string, unknown> {
    return this.byPosition.get(positionId) ?? NO_ACCOUNTS;
  }

  danger(positionId: string, accountId: string): Readonly<AlertSlot> {
    return this.slot(positionId, accountId, DANGER);
  }

  memory(positionId: string, of: Pick<PositionAlert, 'accountId' | 'type' | 'ruleId'>): AlertMemory {
    const { active, lastResolved } = this.slot(positionId, of.accountId, alertKey(of));
    return { isActive: active !== null, lastResolvedAtMs: lastResolved?.resolvedAtMs ?? null };
  }

  active(positionId: string, accountId: string, key: string): PositionAlert | null {
    return this.slot(positionId, accountId, key).active;
  }

  /** Stores an alert that opened or resolved. */
  store(alert: PositionAlert): void {
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

  private slot(positionId: string, accountId: string, key: string): Readonly<AlertSlot> {
    return this.byPosition.get(positionId)?.get(accountId)?.get(key) ?? EMPTY;
  }

  private slotToFill(alert: PositionAlert): AlertSlot {
    const byAccount = this.byPosition.get(alert.positionId) ?? new Map<string, Map<string, AlertSlot>>();
    this.byPosition.set(alert.positionId, byAccount);
    const byKey = byAccount.get(alert.accountId) ?? new Map<string, AlertSlot>();
    byAccount.set(alert.accountId, byKey);
    const slot = byKey.get(alertKey(alert)) ?? { active: null, lastResolved: null, surplus: [] };
    byKey.set(alertKey(alert), slot);
    return slot;
  }
}
