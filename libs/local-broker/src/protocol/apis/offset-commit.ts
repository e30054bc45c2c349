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
