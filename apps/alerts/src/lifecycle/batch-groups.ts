import type { AlertGroupCause } from '@plimsoll/contracts';
import type { Alert } from './alert';
import type { AlertEvent } from './alert-event';
import { blockCause, groupIdOf, pricesCause } from './alert-group';
import type { GroupMember } from './alert-groups.repository';

interface Block {
  chainId: number;
  block: number | null;
  blockAtMs: number | null;
}

/**
 * Returns the alerts of a batch that opened or worsened, as members of the group of their cause: the block of
 * the position, or for a price move and a depeg the prices of the same second. The events already name a group
 * with two or more alerts in the batch. An alert for one endpoint only is excluded, and an alert about
 * anything else has no group.
 * @param opened alerts that this batch opened
 */
export function groupBatch(
  { opened, events }: { opened: readonly Pick<Alert, 'id'>[]; events: readonly AlertEvent[] },
  blockOf: ReadonlyMap<string, Block>,
  nowMs: number,
): GroupMember[] {
  const members = new Map<string, GroupMember>();
  const own = new Set(opened.map(({ id }) => id));
  for (const { topic, value, cause } of events) {
    const isWorse = topic === 'alert-change.v1' ? value.change === 'escalated' : value.status === 'active';
    if (!isWorse || value.targetWebhookId !== undefined) continue;
    if (topic === 'alert.v1' && !own.has(value.alertId)) continue;
    const groupCause = causeOf(value, blockOf, nowMs);
    if (groupCause === null) continue;
    const { accountId, alertId } = value;
    const groupId = groupIdOf(accountId, groupCause);
    members.set(alertId, { groupId, accountId, alertId, groupCause, cause });
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
  { type, position, content }: AlertEvent['value'],
  blockOf: ReadonlyMap<string, Block>,
  nowMs: number,
): AlertGroupCause | null {
  if (type === 'price_move') return pricesCause(nowMs);
  const at = position && blockOf.get(position.id);
  if (!at) return null;
  if (content?.cause?.kind === 'depeg') return pricesCause(nowMs);
  const { chainId, block, blockAtMs } = at;
  return block === null || blockAtMs === null ? null : blockCause(chainId, block, blockAtMs);
}
