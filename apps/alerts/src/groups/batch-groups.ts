import type { Outcome } from '../evaluation/evaluation';
import { blockCause, groupIdOf } from './alert-group';
import type { GroupMember } from './alert-groups.repository';

/**
 * The alerts of a batch that opened or got worse, as members of the group of their block. Where a batch has two or more of
 * a group, their events say it already. An alert that one endpoint alone gets stays out.
 */
export function groupBatch(
  { opened, events }: Pick<Outcome, 'opened' | 'events'>,
  blockOf: ReadonlyMap<string, { chainId: number; block: number | null; blockAtMs: number | null }>,
): GroupMember[] {
  const members = new Map<string, GroupMember>();
  const own = new Set(opened.map(({ id }) => id));
  for (const { topic, value, cause } of events) {
    const isWorse = topic === 'alert-change.v1' ? value.change === 'escalated' : value.status === 'active';
    const at = value.position && blockOf.get(value.position.id);
    if (!isWorse || !at || at.block === null || at.blockAtMs === null) continue;
    if (value.targetWebhookId !== undefined || (topic === 'alert.v1' && !own.has(value.alertId))) continue;
    const groupCause = blockCause(at.chainId, at.block, at.blockAtMs);
    const { accountId, alertId } = value;
    members.set(alertId, {
      groupId: groupIdOf(accountId, groupCause),
      accountId,
      alertId,
      groupCause,
      cause,
    });
  }
  const sizes = new Map<string, number>();
  for (const { groupId } of members.values()) sizes.set(groupId, (sizes.get(groupId) ?? 0) + 1);
  for (const { value } of events) {
    const groupId = members.get(value.alertId)?.groupId;
    if (groupId !== undefined && value.status === 'active' && (sizes.get(groupId) ?? 0) > 1)
      value.groupId = groupId;
  }
  return [...members.values()];
}
