import {
  array,
  bytes,
  defineApi,
  int16,
  int32,
  nullableString,
  since,
  string,
  struct,
  until,
  int8,
} from '../schema';

export const findCoordinator = defineApi({
  key: 10,
  name: 'FindCoordinator',
  minVersion: 0,
  maxVersion: 2,
  request: struct({ key: string, keyType: since(1, int8, 0) }),
  response: struct({
    throttleTimeMs: since(1, int32, 0),
    errorCode: int16,
    errorMessage: since<string | null>(1, nullableString, null),
    nodeId: int32,
    host: string,
    port: int32,
  }),
});

export const joinGroup = defineApi({
  key: 11,
  name: 'JoinGroup',
  minVersion: 2,
  maxVersion: 5,
  request: struct({
    groupId: string,
    sessionTimeoutMs: int32,
    rebalanceTimeoutMs: int32,
    memberId: string,
    groupInstanceId: since<string | null>(5, nullableString, null),
    protocolType: string,
    protocols: array(struct({ name: string, metadata: bytes })),
  }),
  response: struct({
    throttleTimeMs: int32,
    errorCode: int16,
    generationId: int32,
    protocolName: string,
    leader: string,
    memberId: string,
    members: array(
      struct({
        memberId: string,
        groupInstanceId: since<string | null>(5, nullableString, null),
        metadata: bytes,
      }),
    ),
  }),
});

export const syncGroup = defineApi({
  key: 14,
  name: 'SyncGroup',
  minVersion: 0,
  maxVersion: 3,
  request: struct({
    groupId: string,
    generationId: int32,
    memberId: string,
    groupInstanceId: since<string | null>(3, nullableString, null),
    assignments: array(struct({ memberId: string, assignment: bytes })),
  }),
  response: struct({
    throttleTimeMs: since(1, int32, 0),
    errorCode: int16,
    assignment: bytes,
  }),
});

export const heartbeat = defineApi({
  key: 12,
  name: 'Heartbeat',
  minVersion: 0,
  maxVersion: 3,
  request: struct({
    groupId: string,
    generationId: int32,
    memberId: string,
    groupInstanceId: since<string | null>(3, nullableString, null),
  }),
  response: struct({ throttleTimeMs: since(1, int32, 0), errorCode: int16 }),
});

const member = { memberId: string, groupInstanceId: nullableString };

export const leaveGroup = defineApi({
  key: 13,
  name: 'LeaveGroup',
  minVersion: 0,
  maxVersion: 3,
  request: struct({
    groupId: string,
    memberId: until(2, string, ''),
    members: since(3, array(struct(member)), []),
  }),
  response: struct({
    throttleTimeMs: since(1, int32, 0),
    errorCode: int16,
    members: since(3, array(struct({ ...member, errorCode: int16 })), []),
  }),
});
