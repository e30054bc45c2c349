import type { Severity } from '@plimsoll/contracts';
import type { Alert } from '../../lifecycle/alert';
import type { AssetCondition, ConditionText } from './asset-condition';
import { notHeldText } from './asset-text';

/** An account that watches a wallet whose position holds the asset. */
export interface AssetHolder {
  asset: string;
  accountId: string;
}

export interface AssetAlertChanges {
  resolve: { alert: Alert; text: ConditionText }[];
  open: { accountId: string; condition: AssetCondition; severity: Severity }[];
}

/**
 * Returns the changes after which every holder has exactly one alert of each met condition, at its severity,
 * and no other account has one.
 */
export function assetAlertChanges(
  conditions: readonly AssetCondition[],
  holders: readonly AssetHolder[],
  active: readonly Alert[],
): AssetAlertChanges {
  const changes: AssetAlertChanges = { resolve: [], open: [] };
  for (const condition of conditions) {
    const { asset, type, severity } = condition;
    const holding = new Set(holders.flatMap((holder) => (holder.asset === asset ? [holder.accountId] : [])));
    const notified = new Set<string>();
    for (const alert of active) {
      if (alert.asset !== asset || alert.type !== type) continue;
      if (!holding.has(alert.accountId)) changes.resolve.push({ alert, text: notHeldText(asset) });
      else if (alert.severity === severity) notified.add(alert.accountId);
      else changes.resolve.push({ alert, text: condition });
    }
    if (severity === null) continue;
    for (const accountId of holding)
      if (!notified.has(accountId)) changes.open.push({ accountId, condition, severity });
  }
  return changes;
}

/**
 * Returns about `most` changes, all or none of an account, openings before resolutions. `isAll` is true when
 * none is left out.
 */
export function someChanges(
  { resolve, open }: AssetAlertChanges,
  most: number,
): { changes: AssetAlertChanges; isAll: boolean } {
  const counts = new Map<string, number>();
  const accountIds = [...open.map((each) => each.accountId), ...resolve.map(({ alert }) => alert.accountId)];
  for (const accountId of accountIds) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  const some = new Set<string>();
  let taken = 0;
  for (const [accountId, count] of counts) {
    if (taken >= most) break;
    some.add(accountId);
    taken += count;
  }
  const changes = {
    resolve: resolve.filter(({ alert }) => some.has(alert.accountId)),
    open: open.filter(({ accountId }) => some.has(accountId)),
  };
  return { changes, isAll: some.size === counts.size };
}
