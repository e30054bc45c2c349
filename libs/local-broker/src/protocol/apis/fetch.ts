import {
  array,
  defineApi,
  int16,
  int32,
  int64,
  int8,
  nullableArray,
  nullableBytes,
  since,
  string,
  struct,
} from '../schema';

export const fetch = defineApi({
  key: 1,
  name: 'Fetch',
  minVersion: 4,
  maxVersion: 11,
  request: struct({
    replicaId: int32,
    maxWaitMs: int32,
    minBytes: int32,
    maxBytes: int32,
    isolationLevel: int8,
    sessionId: since(7, int32, 0),
    sessionEpoch: since(7, int32, -1),
    topics: array(
      struct({
        topic: string,
        partitions: array(
          struct({
            partition: int32,
            currentLeaderEpoch: since(9, int32, -1),
            fetchOffset: int64,
            logStartOffset: since(5, int64, -1),
            partitionMaxBytes: int32,
          }),
        ),
      }),
    ),
    forgottenTopics: since(7, array(struct({ topic: string, partitions: array(int32) })), []),
    rackId: since(11, string, ''),
  }),
  response: struct({
    throttleTimeMs: int32,
    errorCode: since(7, int16, 0),
    sessionId: since(7, int32, 0),
    topics: array(
      struct({
        topic: string,
        partitions: array(
          struct({
            partition: int32,
            errorCode: int16,
            highWatermark: int64,
            lastStableOffset: int64,
            logStartOffset: since(5, int64, -1),
            abortedTransactions: nullableArray(struct({ producerId: int64, firstOffset: int64 })),
            preferredReadReplica: since(11, int32, -1),
            records: nullableBytes,
          }),
        ),
      }),
    ),
  }),
});
