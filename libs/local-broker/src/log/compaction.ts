import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordBatch } from '../protocol/record-batch';
import { decodeRecords, isReadable, rebuildBatch, type LogRecord } from '../protocol/records';
import { replaceBy, writeFully } from './durable-file';
import type { PartitionLog } from './partition-log';
import { Segment } from './segment';

/** Most keys that one pass keeps in memory. The others wait for the next pass. */
const MAX_KEYS = 200_000;
/** Longer keys are stored as their digest. */
const LONG_KEY_BYTES = 64;
/** Other work may run after this much log. */
const TURN_BYTES = 1_024 * 1_024;

/** The latest offset of each key in the part of the log that was not compacted yet. */
interface OffsetMap {
  latest: Map<string, number>;
  /** The first offset that the map does not cover. Later records stay unchanged. */
  end: number;
}

/**
 * One pass of compaction over the sealed segments: of each key only the latest record remains, at its offset.
 * A tombstone remains for delete.retention.ms after the pass that first read it, which has removed all
 * earlier records of its key. Returns true when it did anything.
 */
export async function compactLog(log: PartitionLog, now: number, maxKeys = MAX_KEYS): Promise<boolean> {
  return log.exclusively(async () => {
    const segments = cleanableSegments(log, now);
    if (!isDue(log, segments, now)) return false;
    const map = await buildOffsetMap(log, segments, maxKeys);
    const pass = { log, map, now, sawUnreadable: false };
    // The order matters: if the machine fails in between, no tombstone disappears before the records that it
    // deletes.
    for (const segment of segments.filter(({ baseOffset }) => baseOffset < map.end)) {
      if (log.isClosed) return false;
      await rewriteSegment(pass, segment);
    }
    log.firstDirtyOffset = map.end;
    await log.storeState();
    return true;
  });
}

function cleanableSegments(log: PartitionLog, now: number): Segment[] {
  const sealed = log.segments.slice(0, -1);
  const young = sealed.findIndex(({ maxTimestamp }) => maxTimestamp > now - log.config.minCompactionLagMs);
  return young < 0 ? sealed : sealed.slice(0, young);
}

function isDue(log: PartitionLog, segments: readonly Segment[], now: number): boolean {
  const dirty = segments.filter(({ nextOffset, size }) => nextOffset > log.firstDirtyOffset && size > 0);
  if (dirty.length === 0) return false;
  const bytes = (list: readonly Segment[]): number => list.reduce((sum, { size }) => sum + size, 0);
  const oldest = Math.min(...dirty.map(({ maxTimestamp }) => maxTimestamp));
  return (
    bytes(dirty) / bytes(segments) >= log.config.minCleanableDirtyRatio ||
    oldest < now - log.config.maxCompactionLagMs
  );
}

async function buildOffsetMap(
  log: PartitionLog,
  segments: readonly Segment[],
  maxKeys: number,
): Promise<OffsetMap> {
  const map: OffsetMap = { latest: new Map(), end: segments.at(-1)?.nextOffset ?? 0 };
  const turns = new Turns();
  for (const segment of segments.filter(({ nextOffset }) => nextOffset > log.firstDirtyOffset)) {
    for (const { batch } of segment.scan(0, false)) {
      await turns.spend(batch.sizeInBytes);
      if (batch.lastOffset < log.firstDirtyOffset || !isReadable(batch)) continue;
      if (map.latest.size > 0 && map.latest.size + batch.recordCount > maxKeys) {
        map.end = batch.baseOffset;
        return map;
      }
      for (const { key, offsetDelta } of decodeRecords(batch)) {
        if (key !== null) map.latest.set(nameOf(key), batch.baseOffset + offsetDelta);
      }
    }
  }
  return map;
}

interface Pass {
  log: PartitionLog;
  map: OffsetMap;
  now: number;
  /** A batch with unknown keys may contain an earlier record of any key, so later tombstones are kept. */
  sawUnreadable: boolean;
}

async function rewriteSegment(pass: Pass, segment: Segment): Promise<void> {
  const { log } = pass;
  const draft = `${segment.logFile}.cleaned`;
  const fd = openSync(draft, 'w');
  const turns = new Turns();
  let size = 0;
  try {
    for (const { batch } of segment.scan(0, false)) {
      await turns.spend(batch.sizeInBytes);
      const kept = compactBatch(pass, batch);
      if (!kept) continue;
      writeFully(fd, kept, size);
      size += kept.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  await replaceBy(draft, segment.logFile, () => {
    const isNeeded = size > 0 || segment === log.segments[0];
    const compacted = Segment.open(
      segment.directory,
      segment.baseOffset,
      log.config.indexIntervalBytes,
      false,
    );
    log.replaceSegment(segment, isNeeded ? compacted : undefined);
    if (isNeeded) compacted.seal(false);
    else compacted.remove();
  });
}

/** The remaining part of the batch. Undefined when nothing remains. */
function compactBatch(pass: Pass, batch: RecordBatch): Buffer | undefined {
  const { map, now, log } = pass;
  if (!isReadable(batch)) pass.sawUnreadable = true;
  if (!isReadable(batch) || batch.baseOffset >= map.end) return batch.buffer;
  const horizon = batch.deleteHorizon;
  const mayDropTombstones = horizon !== undefined && horizon < now && !pass.sawUnreadable;
  const isKept = ({ key, value, offsetDelta }: LogRecord): boolean => {
    if (key === null) return true;
    if ((map.latest.get(nameOf(key)) ?? -1) > batch.baseOffset + offsetDelta) return false;
    return value !== null || !mayDropTombstones;
  };
  const records = decodeRecords(batch);
  const kept = records.filter(isKept);
  if (kept.length === 0) return undefined;
  const hasTombstone = kept.some(({ value }) => value === null);
  const newHorizon = horizon ?? (hasTombstone ? now + log.config.deleteRetentionMs : undefined);
  if (kept.length === records.length && newHorizon === horizon) return batch.buffer;
  return rebuildBatch(batch, kept, newHorizon);
}

function nameOf(key: Buffer): string {
  return key.length <= LONG_KEY_BYTES
    ? `k${key.toString('latin1')}`
    : `d${createHash('sha256').update(key).digest('base64')}`;
}

/** Gives the broker time to handle requests. */
class Turns {
  #spent = 0;

  async spend(bytes: number): Promise<void> {
    this.#spent += bytes;
    if (this.#spent < TURN_BYTES) return;
    this.#spent = 0;
    await nextTurn();
  }
}
