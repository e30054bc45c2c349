import { array, boolean, defineApi, int16, int32, nullableString, string, struct } from '../schema';

export const createTopics = defineApi({
  key: 19,
  name: 'CreateTopics',
  minVersion: 2,
  maxVersion: 3,
  request: struct({
    topics: array(
      struct({
        name: string,
        numPartitions: int32,
        replicationFactor: int16,
        assignments: array(struct({ partitionIndex: int32, brokerIds: array(int32) })),
        configs: array(struct({ name: string, value: nullableString })),
      }),
    ),
    timeoutMs: int32,
    validateOnly: boolean,
  }),
  response: struct({
    throttleTimeMs: int32,
    topics: array(struct({ name: string, errorCode: int16, errorMessage: nullableString })),
  }),
});
