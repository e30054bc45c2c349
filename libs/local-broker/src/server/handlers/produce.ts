import { initProducerId, produce } from '../../protocol/apis';
import { ERROR, ProtocolError, codeOf, type ErrorCode } from '../../protocol/error-codes';
import { BATCH_HEADER_BYTES, RecordBatch } from '../../protocol/record-batch';
import type { RequestOf } from '../../protocol/schema';
import type { PartitionLog } from '../../log/partition-log';
import { bindApi, type BoundApi } from '../bound-api';
import type { BrokerState } from '../broker-state';

const MAX_TRANSACTION_MS = 900_000;
const VALID_ACKS = new Set([-1, 0, 1]);

interface Appended {
  errorCode: ErrorCode;
  baseOffset: number;
  log?: PartitionLog;
}

export function produceApis(state: BrokerState): BoundApi[] {
  return [
    bindApi(produce, async (request) => {
      const appended = request.topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ index, records }) => ({
          index,
          ...append(state, request, name, index, records),
        })),
      }));
      const logs = appended.flatMap(({ partitions }) => partitions.flatMap(({ log }) => log ?? []));
      // Also with acks=1: consumers can read every acknowledged record.
      await state.flusher.flush(logs);
      if (request.acks === 0) return undefined;
      return {
        topics: appended.map(({ name, partitions }) => ({
          name,
          partitions: partitions.map(({ index, errorCode, baseOffset, log }) => ({
            index,
            errorCode: log?.failure ? ERROR.KAFKA_STORAGE_ERROR : errorCode,
            baseOffset: log?.failure ? -1 : baseOffset,
            logAppendTimeMs: -1,
            logStartOffset: log?.logStartOffset ?? -1,
          })),
        })),
        throttleTimeMs: 0,
      };
    }),

    bindApi(initProducerId, async ({ transactionalId, transactionTimeoutMs }) => {
      const errorCode = errorOfInit(transactionalId, transactionTimeoutMs);
      const identity =
        errorCode === ERROR.NONE
          ? await state.producerIds.init(transactionalId)
          : { producerId: -1, producerEpoch: -1 };
      return { throttleTimeMs: 0, errorCode, ...identity };
    }),
  ];
}

function errorOfInit(transactionalId: string | null, timeoutMs: number): ErrorCode {
  if (transactionalId === null) return ERROR.NONE;
  if (transactionalId === '') return ERROR.INVALID_REQUEST;
  const isInRange = timeoutMs > 0 && timeoutMs <= MAX_TRANSACTION_MS;
  return isInRange ? ERROR.NONE : ERROR.INVALID_TRANSACTION_TIMEOUT;
}

function append(
  { topics, producerIds }: BrokerState,
  { acks }: RequestOf<typeof produce>,
  topic: string,
  index: number,
  records: Buffer | null,
): Appended {
  try {
    if (!VALID_ACKS.has(acks)) throw new ProtocolError(ERROR.INVALID_REQUIRED_ACKS, `acks is ${acks}`);
    const log = topics.partition(topic, index);
    const bytes = records ?? Buffer.alloc(0);
    if (bytes.length >= BATCH_HEADER_BYTES) {
      const { producerId, producerEpoch } = new RecordBatch(bytes);
      if (producerIds.isFenced(producerId, producerEpoch)) {
        throw new ProtocolError(ERROR.INVALID_PRODUCER_EPOCH, 'a newer producer has the transactional id');
      }
    }
    return { errorCode: ERROR.NONE, baseOffset: log.append(bytes), log };
  } catch (error) {
    return { errorCode: codeOf(error), baseOffset: -1 };
  }
}
