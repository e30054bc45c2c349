import { gunzipSync, gzipSync } from 'node:zlib';
import { COMPRESSION, encodeBatch, type BatchHeader, type RecordBatch } from './record-batch';
import { encodeVarint, readVarint } from './varint';

/** A larger size after decompression is rejected, because it would exceed the memory of the broker. */
const MAX_DECOMPRESSED_BYTES = 64 * 1_024 * 1_024;

/** One record of a batch. Byte fields are views of the batch. */
export interface LogRecord {
  attributes: number;
  timestampDelta: number;
  offsetDelta: number;
  key: Buffer | null;
  value: Buffer | null;
  /** The bytes from the offset delta to the end, which a change of the timestamp does not affect. */
  rest: Buffer;
}

/** True when this broker can read the records of the batch. The others pass through unchanged. */
export function isReadable({ compression }: RecordBatch): boolean {
  return compression === COMPRESSION.none || compression === COMPRESSION.gzip;
}

/** The records of a readable batch. Throws a RangeError when they differ from the header. */
export function decodeRecords(batch: RecordBatch): LogRecord[] {
  const bytes =
    batch.compression === COMPRESSION.gzip
      ? gunzipSync(batch.recordBytes, { maxOutputLength: MAX_DECOMPRESSED_BYTES })
      : batch.recordBytes;
  const records: LogRecord[] = [];
  let at = 0;
  for (let left = batch.recordCount; left > 0; left -= 1) {
    const length = readVarint(bytes, at);
    const end = length.end + length.value;
    if (length.value < 0 || end > bytes.length) throw new RangeError('a record is longer than its batch');
    records.push(decodeRecord(bytes.subarray(length.end, end)));
    at = end;
  }
  if (at !== bytes.length) throw new RangeError('a batch contains more than its records');
  return records;
}

function decodeRecord(bytes: Buffer): LogRecord {
  const timestampDelta = readVarint(bytes, 1);
  const offsetDelta = readVarint(bytes, timestampDelta.end);
  const key = readField(bytes, offsetDelta.end);
  const value = readField(bytes, key.end);
  return {
    attributes: bytes[0] ?? 0,
    timestampDelta: timestampDelta.value,
    offsetDelta: offsetDelta.value,
    key: key.value,
    value: value.value,
    rest: bytes.subarray(timestampDelta.end),
  };
}

function readField(bytes: Buffer, start: number): { value: Buffer | null; end: number } {
  const length = readVarint(bytes, start);
  if (length.value < 0) return { value: null, end: length.end };
  const end = length.end + length.value;
  if (end > bytes.length) throw new RangeError('a field is longer than its record');
  return { value: bytes.subarray(length.end, end), end };
}

/** The batch with only these records. Offsets, timestamps and gaps stay unchanged. */
export function rebuildBatch(batch: RecordBatch, kept: readonly LogRecord[], deleteHorizon?: number): Buffer {
  const baseTimestamp = deleteHorizon ?? batch.baseTimestamp;
  const shift = batch.baseTimestamp - baseTimestamp;
  const encoded = Buffer.concat(
    kept.flatMap(({ attributes, timestampDelta, rest }) => {
      const delta = encodeVarint(timestampDelta + shift);
      return [encodeVarint(1 + delta.length + rest.length), Buffer.from([attributes]), delta, rest];
    }),
  );
  const header: BatchHeader = {
    baseOffset: batch.baseOffset,
    lastOffsetDelta: batch.lastOffsetDelta,
    baseTimestamp,
    maxTimestamp: Math.max(...kept.map((record) => batch.baseTimestamp + record.timestampDelta)),
    recordCount: kept.length,
    compression: batch.compression,
    producerId: batch.producerId,
    producerEpoch: batch.producerEpoch,
    baseSequence: batch.baseSequence,
    isTransactional: batch.isTransactional,
    hasDeleteHorizon: deleteHorizon !== undefined,
  };
  return encodeBatch(header, batch.compression === COMPRESSION.gzip ? gzipSync(encoded) : encoded);
}

/** A record to be written. */
export interface NewRecord {
  key: Buffer | null;
  value: Buffer | null;
  timestamp: number;
}

/** A new batch of at least one record, at offset 0 until the log assigns one. */
export function newBatch(records: readonly NewRecord[], header: Partial<BatchHeader> = {}): Buffer {
  const baseTimestamp = records[0]?.timestamp ?? 0;
  const encoded = Buffer.concat(
    records.flatMap((record, at) => {
      const body = Buffer.concat([
        Buffer.from([0]),
        encodeVarint(record.timestamp - baseTimestamp),
        encodeVarint(at),
        encodeField(record.key),
        encodeField(record.value),
        encodeVarint(0),
      ]);
      return [encodeVarint(body.length), body];
    }),
  );
  return encodeBatch(
    {
      baseOffset: 0,
      lastOffsetDelta: records.length - 1,
      baseTimestamp,
      maxTimestamp: Math.max(...records.map(({ timestamp }) => timestamp)),
      recordCount: records.length,
      ...header,
    },
    header.compression === COMPRESSION.gzip ? gzipSync(encoded) : encoded,
  );
}

function encodeField(field: Buffer | null): Buffer {
  return field === null ? encodeVarint(-1) : Buffer.concat([encodeVarint(field.length), field]);
}
