import {
  array,
  defineApi,
  int16,
  int32,
  int64,
  nullableBytes,
  nullableString,
  since,
  string,
  struct,
} from '../schema';

export const initProducerId = defineApi({
  key: 22,
  name: 'InitProducerId',
  minVersion: 0,
  maxVersion: 1,
  request: struct({ transactionalId: nullableString, transactionTimeoutMs: int32 }),
  response: struct({ throttleTimeMs: int32, errorCode: int16, producerId: int64, producerEpoch: int16 }),
});

export const produce = defineApi({
  key: 0,
  name: 'Produce',
  minVersion: 3,
  maxVersion: 7,
  request: struct({
    transactionalId: nullableString,
    acks: int16,
    timeoutMs: int32,
    topics: array(
      struct({ name: string, partitions: array(struct({ index: int32, records: nullableBytes })) }),
    ),
  }),
  response: struct({
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            index: int32,
            errorCode: int16,
            baseOffset: int64,
            logAppendTimeMs: int64,
            logStartOffset: since(5, int64, -1),
          }),
        ),
      }),
    ),
    throttleTimeMs: int32,
  }),
});
