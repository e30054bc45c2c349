import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { BATCH_HEADER_BYTES, RecordBatch } from '../protocol/record-batch';
import { readFully, scanBatches, type ScannedBatch } from './batch-scanner';
import { readJson, removeFile, replaceFileSync, syncDirectory, writeFully } from './durable-file';
import { SegmentIndex, parseStoredIndex, type StoredIndex } from './segment-index';

const fdatasyncAsync = promisify(fdatasync);
const NAME_DIGITS = 20;

/** Name of a segment's file without its ending: the base offset, so that names sort by offset. */
export function segmentName(baseOffset: number): string {
  return String(baseOffset).padStart(NAME_DIGITS, '0');
}

/**
 * One file of a partition's log: batches in the order of their offsets. Only the last segment is appended to.
 */
export class Segment {
  #size = 0;
  #nextOffset: number;
  #firstTimestamp = -1;
  #maxTimestamp = -1;
  #index: SegmentIndex;
  /** Open while the segment is active. The others are opened for each read. */
  #fd: number | undefined;
  /** The number of syncs in progress. The file stays open for them. */
  #syncs = 0;
  #closesAfterSync = false;

  private constructor(
    readonly directory: string,
    readonly baseOffset: number,
    indexIntervalBytes: number,
  ) {
    this.#nextOffset = baseOffset;
    this.#index = new SegmentIndex(indexIntervalBytes);
  }

  static create(directory: string, baseOffset: number, indexIntervalBytes: number): Segment {
    const segment = new Segment(directory, baseOffset, indexIntervalBytes);
    removeFile(segment.indexFile);
    segment.#fd = openSync(segment.logFile, 'w+');
    syncDirectory(directory);
    return segment;
  }

  /**
   * Opens an existing segment. With `trustIndex` a stored index of the right size is used unchecked.
   * Otherwise every batch is checked and the file ends before the first damaged one.
   */
  static open(directory: string, baseOffset: number, intervalBytes: number, trustIndex: boolean): Segment {
    const segment = new Segment(directory, baseOffset, intervalBytes);
    const fd = openSync(segment.logFile, 'r+');
    segment.#fd = fd;
    const fileSize = fstatSync(fd).size;
    const stored = trustIndex ? parseStoredIndex(readJson(segment.indexFile), fileSize) : undefined;
    if (stored) segment.#restore(stored);
    else segment.#recover(fd, fileSize);
    return segment;
  }

  get logFile(): string {
    return path.join(this.directory, `${segmentName(this.baseOffset)}.log`);
  }

  get indexFile(): string {
    return path.join(this.directory, `${segmentName(this.baseOffset)}.index`);
  }

  get size(): number {
    return this.#size;
  }

  /** The offset after the last record. */
  get nextOffset(): number {
    return this.#nextOffset;
  }

  /** The timestamp of the first batch. −1 when the segment is empty. */
  get firstTimestamp(): number {
    return this.#firstTimestamp;
  }

  /** −1 when the segment is empty. */
  get maxTimestamp(): number {
    return this.#maxTimestamp;
  }

  /** Appends one batch. A failed write leaves the segment unchanged. */
  append(batch: RecordBatch): void {
    const fd = this.#openFd();
    try {
      writeFully(fd, batch.buffer, this.#size);
    } catch (error) {
      ftruncateSync(fd, this.#size);
      throw error;
    }
    this.#note(batch, this.#size);
  }

  /** The position from which the batches contain this offset or later ones. The size when there is none. */
  positionOf(offset: number): number {
    return this.withFd((fd) => {
      for (const { batch, position } of scanBatches(
        fd,
        this.#index.positionOfOffset(offset),
        this.#size,
        true,
      )) {
        if (batch.lastOffset >= offset) return position;
      }
      return this.#size;
    });
  }

  /**
   * Whole batches from this position on that end before `endPosition`: at most `maxBytes`, but at least one
   * batch.
   */
  read(position: number, maxBytes: number, endPosition: number): Buffer {
    const available = endPosition - position;
    if (available < BATCH_HEADER_BYTES) return Buffer.alloc(0);
    return this.withFd((fd) => {
      const bytes = readBytes(fd, position, Math.min(Math.max(maxBytes, BATCH_HEADER_BYTES), available));
      const whole = wholeBatches(bytes);
      if (whole > 0) return bytes.subarray(0, whole);
      return readBytes(fd, position, new RecordBatch(bytes).sizeInBytes);
    });
  }

  /**
   * The batches from the position on. The views are valid until the next step. Stop early to close the file.
   */
  *scan(from: number, headersOnly: boolean): Generator<ScannedBatch> {
    const own = this.#fd === undefined;
    const fd = this.#fd ?? openSync(this.logFile, 'r');
    try {
      yield* scanBatches(fd, from, this.#size, headersOnly);
    } finally {
      if (own) closeSync(fd);
    }
  }

  /** The batches from the first one on that may hold a record of this time or later. */
  scanFromTimestamp(timestamp: number): Generator<ScannedBatch> {
    return this.scan(this.#index.positionOfTimestamp(timestamp), false);
  }

  async sync(): Promise<void> {
    if (this.#fd === undefined) return;
    this.#syncs += 1;
    try {
      await fdatasyncAsync(this.#fd);
    } finally {
      this.#syncs -= 1;
      if (this.#closesAfterSync && this.#syncs === 0) this.close();
    }
  }

  /** Makes the segment durable, stores its index and closes it. Reads open it again. */
  seal(isDurable: boolean): void {
    if (this.#fd === undefined) return;
    if (isDurable) fdatasyncSync(this.#fd);
    this.storeIndex();
    this.close();
  }

  storeIndex(): void {
    const stored: StoredIndex = {
      logSize: this.#size,
      nextOffset: this.#nextOffset,
      firstTimestamp: this.#firstTimestamp,
      maxTimestamp: this.#maxTimestamp,
      entries: this.#index.stored(),
    };
    replaceFileSync(this.indexFile, JSON.stringify(stored));
  }

  close(): void {
    this.#closesAfterSync = this.#syncs > 0;
    if (this.#closesAfterSync) return;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  remove(): void {
    this.close();
    removeFile(this.indexFile);
    removeFile(this.logFile);
  }

  withFd<T>(work: (fd: number) => T): T {
    if (this.#fd !== undefined) return work(this.#fd);
    const fd = openSync(this.logFile, 'r');
    try {
      return work(fd);
    } finally {
      closeSync(fd);
    }
  }

  #openFd(): number {
    if (this.#fd === undefined) throw new Error(`segment ${this.baseOffset} is not open for appends`);
    return this.#fd;
  }

  #restore({ logSize, nextOffset, firstTimestamp, maxTimestamp, entries }: StoredIndex): void {
    this.#size = logSize;
    this.#nextOffset = nextOffset;
    this.#firstTimestamp = firstTimestamp;
    this.#maxTimestamp = maxTimestamp;
    for (const entry of entries) this.#index.add(...entry);
  }

  #recover(fd: number, fileSize: number): void {
    for (const { batch, position } of scanBatches(fd, 0, fileSize, false)) {
      if (batch.baseOffset < this.#nextOffset || !batch.isIntact()) break;
      this.#note(batch, position);
    }
    if (this.#size < fileSize) ftruncateSync(fd, this.#size);
  }

  #note(batch: RecordBatch, position: number): void {
    this.#index.add(batch.baseOffset, position, this.#maxTimestamp);
    if (position === 0) this.#firstTimestamp = batch.maxTimestamp;
    this.#maxTimestamp = Math.max(this.#maxTimestamp, batch.maxTimestamp);
    this.#nextOffset = batch.lastOffset + 1;
    this.#size = position + batch.sizeInBytes;
  }
}

function readBytes(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readFully(fd, bytes, position));
}

/** The number of bytes of the whole batches at the start of the buffer. */
function wholeBatches(bytes: Buffer): number {
  let end = 0;
  while (end + BATCH_HEADER_BYTES <= bytes.length) {
    const size = new RecordBatch(bytes.subarray(end)).sizeInBytes;
    if (end + size > bytes.length) break;
    end += size;
  }
  return end;
}
