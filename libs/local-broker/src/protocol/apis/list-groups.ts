import { array, defineApi, int16, int32, since, string, struct } from '../schema';

export const listGroups = defineApi({
  key: 16,
  name: 'ListGroups',
  minVersion: 0,
  maxVersion: 2,
  request: struct({}),
  response: struct({
    throttleTimeMs: since(1, int32, 0),
    errorCode: int16,
    groups: array(struct({ groupId: string, protocolType: string })),
  }),
});
