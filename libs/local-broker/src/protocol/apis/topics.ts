import {
  array,
  boolean,
  defineApi,
  int16,
  int32,
  nullableString,
  string,
  struct,
  nullableArray,
  int64,
} from '../schema';

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

export const deleteTopics = defineApi({
  key: 20,
  name: 'DeleteTopics',
  minVersion: 1,
  maxVersion: 3,
  request: struct({ topicNames: array(string), timeoutMs: int32 }),
  response: struct({
    throttleTimeMs: int32,
    responses: array(struct({ name: string, errorCode: int16 })),
  }),
});

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

export const deleteRecords = defineApi({
  key: 21,
  name: 'DeleteRecords',
  minVersion: 0,
  maxVersion: 1,
  request: struct({
    topics: array(
      struct({ name: string, partitions: array(struct({ partitionIndex: int32, offset: int64 })) }),
    ),
    timeoutMs: int32,
  }),
  response: struct({
    throttleTimeMs: int32,
    topics: array(
      struct({
        name: string,
        partitions: array(struct({ partitionIndex: int32, lowWatermark: int64, errorCode: int16 })),
      }),
    ),
  }),
});
