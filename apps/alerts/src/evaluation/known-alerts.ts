import { type AlertRecord, alertKey } from '../alerts/alert-record';
import type { RuleMemory } from '../automation/evaluate-rule';
import type { StandingMemory, StandingType } from './standing-conditions';

interface Slot {
  active: AlertRecord | null;
  lastResolved: AlertRecord | null;
}

const EMPTY: Slot = { active: null, lastResolved: null };

/** Active and recently resolved alerts by position, account and key, as they are in the middle of a batch. */
export class KnownAlerts {
  private readonly byPosition = new Map<string, Map<string, Map<string, Slot>>>();

  constructor(known: readonly AlertRecord[]) {
    for (const alert of known) this.put(alert);
  }

  /** Accounts that have or lately had an alert on the position. */
  accountsOf(positionId: string): Iterable<string> {
    return this.byPosition.get(positionId)?.keys() ?? [];
  }

  memoryOf(positionId: string, accountId: string): Record<StandingType, StandingMemory> {
    const memory = (type: StandingType): StandingMemory => {
      const { active, lastResolved } = this.slot(positionId, accountId, type);
      return { isActive: active !== null, lastResolved: lastResolved && resolvedPart(lastResolved) };
    };
    return {
      health_factor_warning: memory('health_factor_warning'),
      liquidation_risk: memory('liquidation_risk'),
      collateral_drop: memory('collateral_drop'),
    };
  }

  ruleMemory(positionId: string, accountId: string, ruleId: string): RuleMemory {
    const { active, lastResolved } = this.slot(positionId, accountId, ruleId);
    return { isActive: active !== null, lastClearedAtMs: lastResolved?.resolvedAtMs ?? null };
  }

  active(positionId: string, accountId: string, key: string): AlertRecord | null {
    return this.slot(positionId, accountId, key).active;
  }

  /** Takes in an alert that was opened or resolved. */
  put(alert: AlertRecord): void {
    const slot = this.slotToFill(alert);
    if (alert.resolvedAtMs === null) {
      slot.active = alert;
      return;
    }
    if (slot.active?.id === alert.id) slot.active = null;
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
    const slot = byKey.get(alertKey(alert)) ?? { active: null, lastResolved: null };
    byKey.set(alertKey(alert), slot);
    return slot;
  }
}

function resolvedPart({ openedBand, resolvedAtMs }: AlertRecord): StandingMemory['lastResolved'] {
  return resolvedAtMs === null ? null : { openedBand, resolvedAtMs };
}
