import { array, bytes, defineApi, int16, int32, nullableString, since, string, struct } from '../schema';

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
