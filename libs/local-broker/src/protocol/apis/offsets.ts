import {
  array,
  defineApi,
  int16,
  int32,
  int64,
  nullableString,
  since,
  string,
  struct,
  until,
  nullableArray,
  int8,
} from '../schema';

export const offsetCommit = defineApi({
  key: 8,
  name: 'OffsetCommit',
  minVersion: 2,
  maxVersion: 5,
  request: struct({
    groupId: string,
    generationId: int32,
    memberId: string,
    retentionTimeMs: until(4, int64, -1),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({ partitionIndex: int32, committedOffset: int64, committedMetadata: nullableString }),
        ),
      }),
    ),
  }),
  response: struct({
    throttleTimeMs: since(3, int32, 0),
    topics: array(
      struct({ name: string, partitions: array(struct({ partitionIndex: int32, errorCode: int16 })) }),
    ),
  }),
});

export const offsetFetch = defineApi({
  key: 9,
  name: 'OffsetFetch',
  minVersion: 1,
  maxVersion: 4,
  request: struct({
    groupId: string,
    topics: nullableArray(struct({ name: string, partitionIndexes: array(int32) })),
  }),
  response: struct({
    throttleTimeMs: since(3, int32, 0),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            committedOffset: int64,
            metadata: nullableString,
            errorCode: int16,
          }),
        ),
      }),
    ),
    errorCode: since(2, int16, 0),
  }),
});

export const listOffsets = defineApi({
  key: 2,
  name: 'ListOffsets',
  minVersion: 1,
  maxVersion: 3,
  request: struct({
    replicaId: int32,
    isolationLevel: since(2, int8, 0),
    topics: array(
      struct({ name: string, partitions: array(struct({ partitionIndex: int32, timestamp: int64 })) }),
    ),
  }),
  response: struct({
    throttleTimeMs: since(2, int32, 0),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({ partitionIndex: int32, errorCode: int16, timestamp: int64, offset: int64 }),
        ),
      }),
    ),
  }),
});
