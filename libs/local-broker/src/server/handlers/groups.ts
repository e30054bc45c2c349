import {
  deleteGroups,
  describeGroups,
  heartbeat,
  joinGroup,
  leaveGroup,
  listGroups,
  syncGroup,
} from '../../protocol/apis';
import { ERROR } from '../../protocol/error-codes';
import { failedJoin, failedSync } from '../../group/member';
import { bindApi, type BoundApi } from '../bound-api';
import type { BrokerState } from '../broker-state';

/** A member gets its id before it joins from this version on. */
const JOIN_REQUIRES_MEMBER_ID = 4;
/** One request removes several members from this version on. */
const LEAVE_NAMES_MEMBERS = 3;
const NOTHING = Buffer.alloc(0);

/** Membership of groups. Static members (a group instance id) are not supported. */
export function groupApis({ coordinator }: BrokerState): BoundApi[] {
  return [
    bindApi(joinGroup, async (request, { clientId, clientHost, version }) => {
      const { groupId, groupInstanceId, memberId } = request;
      const requiresMemberId = version >= JOIN_REQUIRES_MEMBER_ID;
      const joined =
        groupInstanceId === null
          ? await coordinator.join(groupId, { ...request, clientId, clientHost, requiresMemberId })
          : failedJoin(ERROR.UNSUPPORTED_VERSION, memberId);
      const members = joined.members.map((member) => ({ ...member, groupInstanceId: null }));
      return { throttleTimeMs: 0, ...joined, members };
    }),

    bindApi(syncGroup, async ({ groupId, memberId, generationId, groupInstanceId, assignments }) => {
      const synced =
        groupInstanceId === null
          ? await coordinator.sync(groupId, memberId, generationId, assignments)
          : failedSync(ERROR.UNSUPPORTED_VERSION);
      return { throttleTimeMs: 0, ...synced };
    }),

    bindApi(heartbeat, ({ groupId, memberId, generationId }) => ({
      throttleTimeMs: 0,
      errorCode: coordinator.heartbeat(groupId, memberId, generationId),
    })),

    bindApi(leaveGroup, ({ groupId, memberId, members }, { version }) => {
      if (version < LEAVE_NAMES_MEMBERS) {
        return { throttleTimeMs: 0, errorCode: coordinator.leave(groupId, memberId), members: [] };
      }
      const left = members.map((member) => ({
        ...member,
        errorCode: coordinator.leave(groupId, member.memberId),
      }));
      return { throttleTimeMs: 0, errorCode: ERROR.NONE, members: left };
    }),

    bindApi(describeGroups, ({ groups }) => ({
      throttleTimeMs: 0,
      groups: groups.map((groupId) => describeGroup(coordinator, groupId)),
    })),

    bindApi(listGroups, () => ({ throttleTimeMs: 0, errorCode: ERROR.NONE, groups: coordinator.list() })),

    bindApi(deleteGroups, async ({ groupNames }) => {
      const results = [];
      for (const groupId of groupNames) {
        results.push({ groupId, errorCode: await coordinator.delete(groupId) });
      }
      return { throttleTimeMs: 0, results };
    }),
  ];
}

function describeGroup(coordinator: BrokerState['coordinator'], groupId: string) {
  const group = coordinator.describe(groupId);
  const isStable = group?.state === 'Stable';
  return {
    errorCode: ERROR.NONE,
    groupId,
    groupState: group?.state ?? 'Dead',
    protocolType: group?.protocolType ?? '',
    protocolData: isStable ? group.protocolName : '',
    members: (group?.members ?? []).map((member) => ({
      memberId: member.id,
      clientId: member.details.clientId,
      clientHost: member.details.clientHost,
      memberMetadata: isStable ? member.metadataFor(group?.protocolName ?? '') : NOTHING,
      memberAssignment: isStable ? member.assignment : NOTHING,
    })),
  };
}
