import { deleteRecords, listOffsets } from '../../protocol/apis';
import { ERROR, ProtocolError, codeOf, type ErrorCode } from '../../protocol/error-codes';
import type { PartitionLog } from '../../log/partition-log';
import { bindApi, type BoundApi } from '../bound-api';
import type { BrokerState } from '../broker-state';

const LATEST = -1;
const EARLIEST = -2;
const HIGH_WATERMARK = -1;

interface FoundOffset {
  offset: number;
  timestamp: number;
}

/** The first and last offsets of partitions. */
export function offsetApis({ topics }: BrokerState): BoundApi[] {
  return [
    bindApi(listOffsets, (request) => ({
      throttleTimeMs: 0,
      topics: request.topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex, timestamp }) => {
          try {
            const found = findOffset(topics.partition(name, partitionIndex), timestamp);
            return { partitionIndex, errorCode: ERROR.NONE, ...found };
          } catch (error) {
            return { partitionIndex, errorCode: codeOf(error), timestamp: -1, offset: -1 };
          }
        }),
      })),
    })),

    bindApi(deleteRecords, async (request) => ({
      throttleTimeMs: 0,
      topics: await Promise.all(
        request.topics.map(async ({ name, partitions }) => ({
          name,
          partitions: await Promise.all(
            partitions.map(async ({ partitionIndex, offset }) => ({
              partitionIndex,
              ...(await deleteBefore(() => topics.partition(name, partitionIndex), offset)),
            })),
          ),
        })),
      ),
    })),
  ];
}

function findOffset(log: PartitionLog, timestamp: number): FoundOffset {
  if (timestamp === LATEST) return { offset: log.highWatermark, timestamp: -1 };
  if (timestamp === EARLIEST) return { offset: log.logStartOffset, timestamp: -1 };
  return log.findTimestamp(timestamp) ?? { offset: -1, timestamp: -1 };
}

async function deleteBefore(
  find: () => PartitionLog,
  offset: number,
): Promise<{ lowWatermark: number; errorCode: ErrorCode }> {
  try {
    const log = find();
    if (!log.config.isDeleted) {
      throw new ProtocolError(ERROR.POLICY_VIOLATION, 'the records of a compacted topic cannot be deleted');
    }
    const end = offset === HIGH_WATERMARK ? log.highWatermark : offset;
    if (end < 0 || end > log.highWatermark) {
      throw new ProtocolError(ERROR.OFFSET_OUT_OF_RANGE, `${offset} is beyond the high watermark`);
    }
    await log.deleteRecordsBefore(end);
    return { lowWatermark: log.logStartOffset, errorCode: ERROR.NONE };
  } catch (error) {
    return { lowWatermark: -1, errorCode: codeOf(error) };
  }
}
