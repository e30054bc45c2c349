import { defineApi, int16, int32, int8, nullableString, since, string, struct } from '../schema';

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
