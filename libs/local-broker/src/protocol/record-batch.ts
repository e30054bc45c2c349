import { crc32c } from './crc32c';

/** Bytes before the records of a batch of format v2. */
export const BATCH_HEADER_BYTES = 61;
/** Base offset and batch length, which the length does not count. */
export const LOG_OVERHEAD_BYTES = 12;

const MAGIC = 2;
const AT = {
  length: 8,
  leaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  baseTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  baseSequence: 53,
  recordCount: 57,
} as const;

const COMPRESSION_MASK = 0x07;
const TRANSACTIONAL_FLAG = 0x10;
const CONTROL_FLAG = 0x20;
const DELETE_HORIZON_FLAG = 0x40;

/** The compression codecs of the attributes. */
export const COMPRESSION = { none: 0, gzip: 1, snappy: 2, lz4: 3, zstd: 4 } as const;

/** Reads the header of one record batch (format v2) at the start of a buffer, which may contain more data. */
export class RecordBatch {
  constructor(readonly buffer: Buffer) {}

  /** Size of the whole batch, with the twelve bytes that its length does not count. */
  get sizeInBytes(): number {
    return this.buffer.readInt32BE(AT.length) + LOG_OVERHEAD_BYTES;
  }

  get baseOffset(): number {
    return Number(this.buffer.readBigInt64BE(0));
  }

  get lastOffset(): number {
    return this.baseOffset + this.lastOffsetDelta;
  }

  get lastOffsetDelta(): number {
    return this.buffer.readInt32BE(AT.lastOffsetDelta);
  }

  get baseTimestamp(): number {
    return Number(this.buffer.readBigInt64BE(AT.baseTimestamp));
  }

  get maxTimestamp(): number {
    return Number(this.buffer.readBigInt64BE(AT.maxTimestamp));
  }

  get producerId(): number {
    return Number(this.buffer.readBigInt64BE(AT.producerId));
  }

  get producerEpoch(): number {
    return this.buffer.readInt16BE(AT.producerEpoch);
  }

  get baseSequence(): number {
    return this.buffer.readInt32BE(AT.baseSequence);
  }

  get recordCount(): number {
    return this.buffer.readInt32BE(AT.recordCount);
  }

  get compression(): number {
    return this.buffer.readInt16BE(AT.attributes) & COMPRESSION_MASK;
  }

  get isTransactional(): boolean {
    return (this.buffer.readInt16BE(AT.attributes) & TRANSACTIONAL_FLAG) !== 0;
  }

  get isControl(): boolean {
    return (this.buffer.readInt16BE(AT.attributes) & CONTROL_FLAG) !== 0;
  }

  /**
   * The time at which compaction may drop the tombstones of this batch, in milliseconds of the epoch. It
   * is stored in the base timestamp.
   */
  get deleteHorizon(): number | undefined {
    const hasHorizon = (this.buffer.readInt16BE(AT.attributes) & DELETE_HORIZON_FLAG) !== 0;
    return hasHorizon ? this.baseTimestamp : undefined;
  }

  /** The records as stored, compressed or not. */
  get recordBytes(): Buffer {
    return this.buffer.subarray(BATCH_HEADER_BYTES, this.sizeInBytes);
  }

  /** True when the buffer contains the whole batch and its checksum is correct. */
  isIntact(): boolean {
    return (
      hasPlausibleHeader(this.buffer) &&
      this.sizeInBytes <= this.buffer.length &&
      this.buffer.readUInt32BE(AT.crc) === crc32c(this.buffer.subarray(AT.attributes, this.sizeInBytes))
    );
  }

  /** Sets the fields that the broker assigns. The checksum covers neither. */
  assign(baseOffset: number, leaderEpoch: number): void {
    this.buffer.writeBigInt64BE(BigInt(baseOffset), 0);
    this.buffer.writeInt32BE(leaderEpoch, AT.leaderEpoch);
  }
}

/** True when the bytes can be the start of a batch of format v2. */
export function hasPlausibleHeader(buffer: Buffer): boolean {
  return (
    buffer.length >= BATCH_HEADER_BYTES &&
    buffer[AT.magic] === MAGIC &&
    buffer.readInt32BE(AT.length) >= BATCH_HEADER_BYTES - LOG_OVERHEAD_BYTES &&
    buffer.readInt32BE(AT.lastOffsetDelta) >= 0 &&
    buffer.readInt32BE(AT.recordCount) >= 0
  );
}

export interface BatchHeader {
  baseOffset: number;
  lastOffsetDelta: number;
  baseTimestamp: number;
  maxTimestamp: number;
  recordCount: number;
  compression?: number;
  leaderEpoch?: number;
  producerId?: number;
  producerEpoch?: number;
  baseSequence?: number;
  isTransactional?: boolean;
  hasDeleteHorizon?: boolean;
}

/** A batch with this header and these record bytes, checksum included. */
export function encodeBatch(header: BatchHeader, recordBytes: Buffer): Buffer {
  const buffer = Buffer.alloc(BATCH_HEADER_BYTES + recordBytes.length);
  recordBytes.copy(buffer, BATCH_HEADER_BYTES);
  const attributes =
    (header.compression ?? COMPRESSION.none) |
    (header.isTransactional ? TRANSACTIONAL_FLAG : 0) |
    (header.hasDeleteHorizon ? DELETE_HORIZON_FLAG : 0);
  buffer.writeBigInt64BE(BigInt(header.baseOffset), 0);
  buffer.writeInt32BE(buffer.length - LOG_OVERHEAD_BYTES, AT.length);
  buffer.writeInt32BE(header.leaderEpoch ?? 0, AT.leaderEpoch);
  buffer.writeInt8(MAGIC, AT.magic);
  buffer.writeInt16BE(attributes, AT.attributes);
  buffer.writeInt32BE(header.lastOffsetDelta, AT.lastOffsetDelta);
  buffer.writeBigInt64BE(BigInt(header.baseTimestamp), AT.baseTimestamp);
  buffer.writeBigInt64BE(BigInt(header.maxTimestamp), AT.maxTimestamp);
  buffer.writeBigInt64BE(BigInt(header.producerId ?? -1), AT.producerId);
  buffer.writeInt16BE(header.producerEpoch ?? -1, AT.producerEpoch);
  buffer.writeInt32BE(header.baseSequence ?? -1, AT.baseSequence);
  buffer.writeInt32BE(header.recordCount, AT.recordCount);
  buffer.writeUInt32BE(crc32c(buffer.subarray(AT.attributes)), AT.crc);
  return buffer;
}
