import type { AlertRecord } from '../alerts/alert-record';
import type { StandingMemory, StandingType } from './standing-conditions';

type ByType = Record<StandingType, { active: AlertRecord | null; lastResolved: AlertRecord | null }>;

const nothing = (): ByType => ({
  health_factor_warning: { active: null, lastResolved: null },
  liquidation_risk: { active: null, lastResolved: null },
});

/** Active and recently resolved alerts by position, account and type, as they are in the middle of a batch. */
export class StandingAlerts {
  private readonly byPosition = new Map<string, Map<string, ByType>>();

  constructor(known: readonly AlertRecord[]) {
    for (const alert of known) this.put(alert);
  }

  /** Accounts that have or lately had an alert on the position. */
  accountsOf(positionId: string): Iterable<string> {
    return this.byPosition.get(positionId)?.keys() ?? [];
  }

  memoryOf(positionId: string, accountId: string): Record<StandingType, StandingMemory> {
    const { health_factor_warning, liquidation_risk } =
      this.byPosition.get(positionId)?.get(accountId) ?? nothing();
    return {
      health_factor_warning: memory(health_factor_warning),
      liquidation_risk: memory(liquidation_risk),
    };
  }

  active(positionId: string, accountId: string, type: StandingType): AlertRecord | null {
    return this.byPosition.get(positionId)?.get(accountId)?.[type].active ?? null;
  }

  /** Takes in an alert that was opened or resolved. */
  put(alert: AlertRecord): void {
    const byAccount = this.byPosition.get(alert.positionId) ?? new Map<string, ByType>();
    this.byPosition.set(alert.positionId, byAccount);
    const byType = byAccount.get(alert.accountId) ?? nothing();
    byAccount.set(alert.accountId, byType);
    const slot = byType[alert.type];
    if (alert.resolvedAtMs === null) {
      slot.active = alert;
      return;
    }
    if (slot.active?.id === alert.id) slot.active = null;
    if (alert.resolvedAtMs >= (slot.lastResolved?.resolvedAtMs ?? 0)) slot.lastResolved = alert;
  }
}

function memory({ active, lastResolved }: ByType[StandingType]): StandingMemory {
  return {
    isActive: active !== null,
    lastResolved:
      lastResolved?.resolvedAtMs == null
        ? null
        : { openedBand: lastResolved.openedBand, resolvedAtMs: lastResolved.resolvedAtMs },
  };
}
