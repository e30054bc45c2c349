import type { AlertGroupCause } from '@plimsoll/contracts';
import type { Outcome } from './evaluation';
import { blockCause, groupIdOf, pricesCause } from '../groups/alert-group';
import type { GroupMember } from '../groups/alert-groups.repository';

interface Block {
  chainId: number;
  block: number | null;
  blockAtMs: number | null;
}

/**
 * Returns the alerts of a batch that opened or worsened, as members of the group of their block. The events
 * already name a group with two or more alerts in the batch. An alert that a market price caused belongs to
 * the price moves of its second. An alert for one endpoint only is excluded.
 */
export function groupBatch(
  { opened, events }: Pick<Outcome, 'opened' | 'events'>,
  blockOf: ReadonlyMap<string, Block>,
  nowMs: number,
): GroupMember[] {
  const members = new Map<string, GroupMember>();
  const own = new Set(opened.map(({ id }) => id));
  for (const { topic, value, cause } of events) {
    const isWorse = topic === 'alert-change.v1' ? value.change === 'escalated' : value.status === 'active';
    const at = value.position && blockOf.get(value.position.id);
    if (!isWorse || !at) continue;
    if (value.targetWebhookId !== undefined || (topic === 'alert.v1' && !own.has(value.alertId))) continue;
    const groupCause = causeOf(value.content?.cause?.kind === 'depeg', at, nowMs);
    if (groupCause === null) continue;
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

function causeOf(
  isDepeg: boolean,
  { chainId, block, blockAtMs }: Block,
  nowMs: number,
): AlertGroupCause | null {
  if (isDepeg) return pricesCause(nowMs);
  return block === null || blockAtMs === null ? null : blockCause(chainId, block, blockAtMs);
}
