import { defineApi, int16, int32, nullableString, since, string, struct } from '../schema';

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
