import { array, defineApi, int16, int32, int64, string, struct } from '../schema';

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
