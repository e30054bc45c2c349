import { BATCH_HEADER_BYTES, RecordBatch, hasPlausibleHeader } from '../protocol/record-batch';
import { decodeRecords, isReadable } from '../protocol/records';
import { ERROR, ProtocolError } from '../protocol/error-codes';
import type { LogConfig } from './topic-config';

/** Returns the batch in these bytes if a producer may append it. Throws ProtocolError otherwise. */
export function validateBatch(bytes: Buffer, config: LogConfig, now: number): RecordBatch {
  if (bytes.length < BATCH_HEADER_BYTES || !hasPlausibleHeader(bytes)) {
    throw new ProtocolError(ERROR.CORRUPT_MESSAGE, 'the records are no batch of format v2');
  }
  const batch = new RecordBatch(bytes);
  if (batch.sizeInBytes < bytes.length) {
    throw new ProtocolError(ERROR.INVALID_RECORD, 'a produce request contains one batch for each partition');
  }
  if (!batch.isIntact()) throw new ProtocolError(ERROR.CORRUPT_MESSAGE, 'the checksum of the batch is wrong');
  if (bytes.length > config.maxMessageBytes) {
    throw new ProtocolError(ERROR.MESSAGE_TOO_LARGE, `the batch exceeds ${config.maxMessageBytes} bytes`);
  }
  if (batch.isControl || batch.recordCount === 0 || batch.lastOffsetDelta !== batch.recordCount - 1) {
    throw new ProtocolError(ERROR.INVALID_RECORD, 'the batch has no consecutive records');
  }
  if (batch.isTransactional) {
    throw new ProtocolError(ERROR.INVALID_TXN_STATE, 'this broker has no transactions');
  }
  if (batch.maxTimestamp > now + config.timestampAfterMaxMs) {
    throw new ProtocolError(ERROR.INVALID_TIMESTAMP, 'the timestamp is too far in the future');
  }
  if (isReadable(batch)) validateRecords(batch, config, now);
  return batch;
}

function validateRecords(batch: RecordBatch, config: LogConfig, now: number): void {
  const records = readRecords(batch);
  for (const [at, { offsetDelta, timestampDelta, key }] of records.entries()) {
    if (offsetDelta !== at) throw new ProtocolError(ERROR.INVALID_RECORD, 'the offsets are not consecutive');
    if (config.isCompacted && key === null) {
      throw new ProtocolError(ERROR.INVALID_RECORD, 'a compacted topic accepts only records with a key');
    }
    const timestamp = batch.baseTimestamp + timestampDelta;
    if (timestamp < now - config.timestampBeforeMaxMs || timestamp > now + config.timestampAfterMaxMs) {
      throw new ProtocolError(ERROR.INVALID_TIMESTAMP, 'the timestamp is out of range');
    }
  }
}

function readRecords(batch: RecordBatch): ReturnType<typeof decodeRecords> {
  try {
    return decodeRecords(batch);
  } catch (error) {
    throw new ProtocolError(ERROR.CORRUPT_MESSAGE, `the records cannot be read: ${(error as Error).message}`);
  }
}
