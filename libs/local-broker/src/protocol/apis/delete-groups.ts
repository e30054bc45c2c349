import { array, defineApi, int16, int32, string, struct } from '../schema';

export const deleteGroups = defineApi({
  key: 42,
  name: 'DeleteGroups',
  minVersion: 0,
  maxVersion: 1,
  request: struct({ groupNames: array(string) }),
  response: struct({
    throttleTimeMs: int32,
    results: array(struct({ groupId: string, errorCode: int16 })),
  }),
});
