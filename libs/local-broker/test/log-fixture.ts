import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RecordBatch, type BatchHeader } from '../src/protocol/record-batch';
import { decodeRecords, newBatch } from '../src/protocol/records';
import { PartitionLog, type PartitionLogOptions } from '../src/log/partition-log';
import { logConfig, type ConfigOverrides } from '../src/log/topic-config';

/** A folder that is removed with the test. */
export function temporaryFolder(): { path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'local-broker-'));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export type LogOverrides = Partial<PartitionLogOptions> & { overrides?: ConfigOverrides };

export function openLog(directory: string, { overrides = {}, ...more }: LogOverrides = {}): PartitionLog {
  return new PartitionLog({
    directory,
    config: { ...logConfig(overrides), segmentBytes: Number(overrides['segment.bytes'] ?? 2 ** 30) },
    isDurable: false,
    maxSegmentBytes: 2 ** 26,
    wasCleanStop: false,
    now: () => 1_000_000,
    ...more,
  });
}

export interface PlainRecord {
  key: string | null;
  value: string | null;
  timestamp?: number;
}

export function batchOf(records: readonly PlainRecord[], header: Partial<BatchHeader> = {}): Buffer {
  const toBytes = (text: string | null) => (text === null ? null : Buffer.from(text));
  return newBatch(
    records.map(({ key, value, timestamp = 1_000 }) => ({
      key: toBytes(key),
      value: toBytes(value),
      timestamp,
    })),
    header,
  );
}

export interface ReadRecord {
  offset: number;
  key: string | null;
  value: string | null;
}

/** Every record that a consumer would read, fetch by fetch. */
export function readAll(log: PartitionLog, maxBytes = 500): ReadRecord[] {
  const found: ReadRecord[] = [];
  for (let offset = log.logStartOffset; offset < log.highWatermark;) {
    const fetched = log.read(offset, maxBytes);
    if (fetched.length === 0) break;
    for (let at = 0; at < fetched.length;) {
      const batch = new RecordBatch(fetched.subarray(at));
      for (const record of decodeRecords(batch)) {
        const own = batch.baseOffset + record.offsetDelta;
        if (own >= offset) found.push({ offset: own, key: text(record.key), value: text(record.value) });
      }
      offset = batch.lastOffset + 1;
      at += batch.sizeInBytes;
    }
  }
  return found;
}

function text(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString();
}
