import { array, bytes, defineApi, int16, int32, nullableString, since, string, struct } from '../schema';

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
