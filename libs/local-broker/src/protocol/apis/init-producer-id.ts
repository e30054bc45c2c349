import { defineApi, int16, int32, int64, nullableString, struct } from '../schema';

export const initProducerId = defineApi({
  key: 22,
  name: 'InitProducerId',
  minVersion: 0,
  maxVersion: 1,
  request: struct({ transactionalId: nullableString, transactionTimeoutMs: int32 }),
  response: struct({ throttleTimeMs: int32, errorCode: int16, producerId: int64, producerEpoch: int16 }),
});
