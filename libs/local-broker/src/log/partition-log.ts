import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ERROR, ProtocolError } from '../protocol/error-codes';
import type { RecordBatch } from '../protocol/record-batch';
import { decodeRecords, isReadable } from '../protocol/records';
import { readJson, removeFile, replaceFile, replaceFileSync } from './durable-file';
import { ProducerState, type ProducerEntry } from './producer-state';
import { Segment } from './segment';
import type { LogConfig } from './topic-config';
import { validateBatch } from './validate-batch';

const LEADER_EPOCH = 0;

export interface PartitionLogOptions {
  directory: string;
  config: LogConfig;
  /** False: writes do not wait for the disk. For data that may be lost when the machine crashes. */
  isDurable: boolean;
  /** A segment ends here even if its topic allows more: a recovery reads one whole segment. */
  maxSegmentBytes: number;
  /** True after a clean stop: the last segment needs no check. */
  wasCleanStop: boolean;
  now: () => number;
}

/** The stored state of a partition beside its segments. */
interface StoredState {
  logStartOffset?: number;
  firstDirtyOffset?: number;
}

interface ProducerSnapshot {
  /** The first offset that the snapshot does not cover. */
  offset?: number;
  entries?: ProducerEntry[];
}

/** The log of one partition: segments, offsets, the producers that wrote to it. */
export class PartitionLog {
  readonly producers = new ProducerState();
  config: LogConfig;
  /** Set by the first failure of the disk. The partition then rejects appends until the broker restarts. */
  failure: Error | undefined;
  /** The offset at which compaction continues. */
  firstDirtyOffset = 0;
  #segments: Segment[];
  #logStartOffset = 0;
  #highWatermark: number;
  /** The size of the part of the active segment that consumers may read. */
  #stableSize: number;
  #closed = false;
  #exclusive: Promise<unknown> = Promise.resolve();
  readonly #waiters = new Set<() => void>();

  constructor(private readonly options: PartitionLogOptions) {
    const { directory } = options;
    this.config = options.config;
    mkdirSync(directory, { recursive: true });
    const names = readdirSync(directory);
    for (const name of names.filter((each) => /\.(draft|cleaned)$/.test(each))) {
      removeFile(path.join(directory, name));
    }
    const stored = (readJson(this.#stateFile) ?? {}) as StoredState;
    this.firstDirtyOffset = stored.firstDirtyOffset ?? 0;
    this.#segments = this.#openSegments(names, stored.logStartOffset ?? 0);
    this.#logStartOffset = Math.max(stored.logStartOffset ?? 0, this.segments[0]?.baseOffset ?? 0);
    this.#restoreProducers();
    this.#highWatermark = this.logEndOffset;
    this.#stableSize = this.#active.size;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  get logStartOffset(): number {
    return this.#logStartOffset;
  }

  /** The offset of the next record. */
  get logEndOffset(): number {
    return this.#active.nextOffset;
  }

  /** Records below it are durable. Consumers see no others. */
  get highWatermark(): number {
    return this.#highWatermark;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * Appends one batch and returns its base offset. It is durable after `sync`. A duplicate of an idempotent
   * producer returns the offset of the original. Throws ProtocolError.
   */
  append(bytes: Buffer): number {
    if (this.#closed) throw new ProtocolError(ERROR.UNKNOWN_TOPIC_OR_PARTITION, 'the partition was deleted');
    if (this.failure) throw new ProtocolError(ERROR.KAFKA_STORAGE_ERROR, this.failure.message);
    const now = this.options.now();
    const batch = validateBatch(bytes, this.config, now);
    const original = this.producers.check(batch);
    if (original !== undefined) return original;
    if (this.#isFull(batch)) this.roll();
    batch.assign(this.logEndOffset, LEADER_EPOCH);
    try {
      this.#active.append(batch);
    } catch (error) {
      throw new ProtocolError(ERROR.KAFKA_STORAGE_ERROR, (error as Error).message);
    }
    this.producers.note(batch, now);
    return batch.baseOffset;
  }

  /** Makes everything that was appended before the call durable, and visible to consumers. */
  async sync(): Promise<void> {
    if (this.#closed) return;
    const active = this.#active;
    const { nextOffset, size } = active;
    try {
      if (this.options.isDurable) await active.sync();
    } catch (error) {
      // It is unknown from here on which bytes reached the disk. Only a recovery can find out.
      this.failure ??= error as Error;
      return;
    }
    if (active === this.#active) this.#stableSize = Math.max(this.#stableSize, size);
    this.#advance(nextOffset);
  }

  /**
   * Whole batches from the one that contains `offset`. At least one when there is any below the high
   * watermark.
   */
  read(offset: number, maxBytes: number): Buffer {
    if (offset >= this.#highWatermark) return Buffer.alloc(0);
    for (const segment of this.#segments.slice(this.#segmentIndexOf(offset))) {
      const end = segment === this.#active ? this.#stableSize : segment.size;
      const position = segment.positionOf(offset);
      if (position < end) return segment.read(position, maxBytes, end);
    }
    return Buffer.alloc(0);
  }

  /** The first record of this time or later. Undefined when there is none. */
  findTimestamp(timestamp: number): { offset: number; timestamp: number } | undefined {
    for (const segment of this.#segments) {
      if (segment.maxTimestamp < timestamp || segment.nextOffset <= this.#logStartOffset) continue;
      for (const { batch } of segment.scanFromTimestamp(timestamp)) {
        if (batch.lastOffset >= this.#highWatermark) return undefined;
        const found = batch.maxTimestamp >= timestamp ? this.#findInBatch(batch, timestamp) : undefined;
        if (found) return found;
      }
    }
    return undefined;
  }

  /** Makes the records below the offset unreadable and removes the segments that contain no others. */
  async deleteRecordsBefore(offset: number): Promise<void> {
    await this.exclusively(async () => {
      this.#logStartOffset = Math.max(this.#logStartOffset, offset);
      while (
        this.#segments.length > 1 &&
        (this.#segments[0]?.nextOffset ?? Infinity) <= this.#logStartOffset
      ) {
        this.#segments.shift()?.remove();
      }
      await this.storeState();
    });
  }

  /** Removes the first segments, and moves the log start offset to the next one. The active segment is kept. */
  async dropFirstSegments(count: number): Promise<void> {
    const dropped = this.#segments.slice(0, Math.min(count, this.#segments.length - 1));
    if (dropped.length === 0) return;
    const next = this.#segments[dropped.length]?.baseOffset ?? 0;
    this.#logStartOffset = Math.max(this.#logStartOffset, next);
    await this.storeState();
    this.#segments.splice(0, dropped.length);
    for (const segment of dropped) segment.remove();
  }

  /** Replaces the original by a compacted segment. Undefined when nothing of it remains. */
  replaceSegment(original: Segment, compacted: Segment | undefined): void {
    const at = this.#segments.indexOf(original);
    if (at >= 0) this.#segments.splice(at, 1, ...(compacted ? [compacted] : []));
  }

  /** Ends the active segment, unless it is empty, and begins a new one. */
  roll(): void {
    const active = this.#active;
    if (active.size === 0) return;
    active.seal(this.options.isDurable);
    this.#storeProducers();
    this.#segments.push(this.#newSegment(active.nextOffset));
    this.#stableSize = 0;
    this.#advance(active.nextOffset);
  }

  /** Runs operations that remove or replace segments one at a time. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#exclusive.then(work, work);
    this.#exclusive = run.catch(() => undefined);
    return run;
  }

  /**
   * Calls back once, at the next advance of the high watermark or when the log closes. Returns a function
   * that cancels.
   */
  onAdvance(listener: () => void): () => void {
    this.#waiters.add(listener);
    return () => this.#waiters.delete(listener);
  }

  async storeState(): Promise<void> {
    const state: StoredState = {
      logStartOffset: this.#logStartOffset,
      firstDirtyOffset: this.firstDirtyOffset,
    };
    await replaceFile(this.#stateFile, JSON.stringify(state));
  }

  /** Waits for maintenance, then closes every file. With `isCleanStop` the next start needs no recovery. */
  async close(isCleanStop: boolean): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#exclusive;
    if (isCleanStop && !this.failure) {
      this.#active.seal(this.options.isDurable);
      this.#storeProducers();
    }
    for (const segment of this.#segments) segment.close();
  }

  get #active(): Segment {
    const active = this.#segments.at(-1);
    if (!active) throw new Error(`${this.options.directory} has no segment`);
    return active;
  }

  get #stateFile(): string {
    return path.join(this.options.directory, 'partition.json');
  }

  get #producerFile(): string {
    return path.join(this.options.directory, 'producers.json');
  }

  #newSegment(baseOffset: number): Segment {
    return Segment.create(this.options.directory, baseOffset, this.config.indexIntervalBytes);
  }

  #openSegments(names: readonly string[], logStartOffset: number): Segment[] {
    const { directory, wasCleanStop } = this.options;
    const bases = names
      .filter((name) => /^\d{20}\.log$/.test(name))
      .sort()
      .map((name) => Number(name.slice(0, -4)));
    const segments = bases.map((base, at) => {
      const isActive = at === bases.length - 1;
      const interval = this.config.indexIntervalBytes;
      const segment = Segment.open(directory, base, interval, !isActive || wasCleanStop);
      if (!isActive) segment.seal(false);
      return segment;
    });
    if (segments.length === 0) segments.push(this.#newSegment(logStartOffset));
    return segments;
  }

  #restoreProducers(): void {
    const snapshot = (readJson(this.#producerFile) ?? {}) as ProducerSnapshot;
    const isUsable = (snapshot.offset ?? Infinity) <= this.logEndOffset;
    const from = isUsable ? (snapshot.offset ?? 0) : 0;
    if (isUsable) this.producers.restore(snapshot.entries ?? []);
    for (const segment of this.#segments.filter(({ nextOffset }) => nextOffset > from)) {
      for (const { batch } of segment.scan(0, true)) {
        if (batch.baseOffset >= from) this.producers.note(batch, batch.maxTimestamp);
      }
    }
  }

  #storeProducers(): void {
    const snapshot: ProducerSnapshot = { offset: this.logEndOffset, entries: this.producers.snapshot() };
    replaceFileSync(this.#producerFile, JSON.stringify(snapshot));
  }

  /** As in Kafka, a segment spans segment.ms of the times in its records, independent of the current time. */
  #isFull(batch: RecordBatch): boolean {
    const { size, firstTimestamp } = this.#active;
    const limit = Math.min(this.config.segmentBytes, this.options.maxSegmentBytes);
    const isTooLong = batch.maxTimestamp - firstTimestamp > this.config.segmentMs;
    return size > 0 && (size + batch.sizeInBytes > limit || isTooLong);
  }

  #segmentIndexOf(offset: number): number {
    let at = this.#segments.length - 1;
    while (at > 0 && (this.#segments[at]?.baseOffset ?? 0) > offset) at -= 1;
    return at;
  }

  #findInBatch(batch: RecordBatch, timestamp: number): { offset: number; timestamp: number } | undefined {
    // The records of other codecs cannot be read here, so the result is the whole batch.
    if (!isReadable(batch)) return { offset: batch.baseOffset, timestamp: batch.maxTimestamp };
    for (const { offsetDelta, timestampDelta } of decodeRecords(batch)) {
      const found = {
        offset: batch.baseOffset + offsetDelta,
        timestamp: batch.baseTimestamp + timestampDelta,
      };
      if (found.timestamp >= timestamp && found.offset >= this.#logStartOffset) return found;
    }
    return undefined;
  }

  #advance(offset: number): void {
    if (offset <= this.#highWatermark) return;
    this.#highWatermark = offset;
    this.#wake();
  }

  #wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }
}
