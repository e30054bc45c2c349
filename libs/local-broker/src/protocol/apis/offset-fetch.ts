import {
  array,
  defineApi,
  int16,
  int32,
  int64,
  nullableArray,
  nullableString,
  since,
  string,
  struct,
} from '../schema';

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
