import { array, defineApi, int16, int32, int64, int8, since, string, struct } from '../schema';

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
