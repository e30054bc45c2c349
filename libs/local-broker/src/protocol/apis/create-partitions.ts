import {
  array,
  boolean,
  defineApi,
  int16,
  int32,
  nullableArray,
  nullableString,
  string,
  struct,
} from '../schema';

export const createPartitions = defineApi({
  key: 37,
  name: 'CreatePartitions',
  minVersion: 0,
  maxVersion: 1,
  request: struct({
    topics: array(
      struct({
        name: string,
        count: int32,
        assignments: nullableArray(struct({ brokerIds: array(int32) })),
      }),
    ),
    timeoutMs: int32,
    validateOnly: boolean,
  }),
  response: struct({
    throttleTimeMs: int32,
    results: array(struct({ name: string, errorCode: int16, errorMessage: nullableString })),
  }),
});
