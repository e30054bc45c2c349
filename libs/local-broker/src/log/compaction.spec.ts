import path from 'node:path';
import fc from 'fast-check';
import { COMPRESSION } from '../protocol/record-batch';
import { compactLog } from './compaction';
import {
  batchOf,
  openLog,
  readAll,
  temporaryFolder,
  type PlainRecord,
  type ReadRecord,
} from '../../test/log-fixture';
import type { PartitionLog } from './partition-log';

const DELETE_RETENTION_MS = 1_000;
const COMPACT = {
  'cleanup.policy': 'compact',
  'segment.bytes': '300',
  'min.cleanable.dirty.ratio': '0',
  'delete.retention.ms': String(DELETE_RETENTION_MS),
};

const folder = temporaryFolder();
let count = 0;
const freshFolder = (): string => path.join(folder.path, String((count += 1)));
afterAll(() => folder.remove());

/** The latest value of each key: the state of a reader after the whole log. */
function stateOf(records: readonly ReadRecord[]): Map<string | null, string> {
  const state = new Map<string | null, string>();
  for (const { key, value } of records) {
    if (value === null) state.delete(key);
    else state.set(key, value);
  }
  return state;
}

async function write(log: PartitionLog, ...batches: PlainRecord[][]): Promise<void> {
  for (const records of batches) log.append(batchOf(records));
  await log.sync();
}

type Step = { kind: 'write'; records: PlainRecord[] } | { kind: 'compact' | 'wait' | 'restart' | 'roll' };

const record = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  value: fc.option(fc.string({ maxLength: 30 }), { nil: null, freq: 3 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      records: fc.array(record, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ kind: 'compact' }, { kind: 'wait' }, { kind: 'roll' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'restart' }) },
);

describe('compaction', () => {
  it('keeps the latest value of every key, the order and the offsets, for any actions in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        async (steps, maxKeys) => {
          const directory = freshFolder();
          const open = () => openLog(directory, { overrides: COMPACT });
          const model: ReadRecord[] = [];
          let log = open();
          let now = 1_000_000;
          for (const each of steps) {
            if (each.kind === 'write') {
              await write(log, each.records);
              for (const { key, value } of each.records) model.push({ offset: model.length, key, value });
            } else if (each.kind === 'compact') await compactLog(log, now, maxKeys);
            else if (each.kind === 'wait') now += DELETE_RETENTION_MS + 1;
            else if (each.kind === 'roll') log.roll();
            else {
              await log.close(false);
              log = open();
            }
            const found = readAll(log);
            // No new records, none out of order, the original offsets …
            expect(found).toEqual(found.map(({ offset }) => model[offset]));
            expect(found.map(({ offset }) => offset)).toEqual(
              [...new Set(found.map(({ offset }) => offset))].sort((a, b) => a - b),
            );
            // … and a reader ends with the same state.
            expect(stateOf(found)).toEqual(stateOf(model));
            expect(log.logEndOffset).toBe(model.length);
          }
          await log.close(false);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('removes superseded records, then tombstones after delete.retention.ms', async () => {
    const log = openLog(freshFolder(), { overrides: COMPACT });
    await write(log, [{ key: 'a', value: '1' }], [{ key: 'b', value: '1' }], [{ key: 'a', value: null }]);
    log.roll();
    expect(await compactLog(log, 1_000_000)).toBe(true);
    expect(readAll(log)).toEqual([
      { offset: 1, key: 'b', value: '1' },
      { offset: 2, key: 'a', value: null },
    ]);
    expect(await compactLog(log, 1_000_000)).toBe(false);
    await write(log, [{ key: 'c', value: '1' }]);
    log.roll();
    await compactLog(log, 1_000_000 + DELETE_RETENTION_MS - 1);
    expect(readAll(log).map(({ key }) => key)).toEqual(['b', 'a', 'c']);
    await write(log, [{ key: 'd', value: '1' }]);
    log.roll();
    await compactLog(log, 1_000_000 + DELETE_RETENTION_MS + 1);
    expect(readAll(log).map(({ key }) => key)).toEqual(['b', 'c', 'd']);
    await log.close(false);
  });

  it('keeps records that are younger than min.compaction.lag.ms', async () => {
    const log = openLog(freshFolder(), { overrides: { ...COMPACT, 'min.compaction.lag.ms': '5000' } });
    await write(
      log,
      [{ key: 'a', value: '1', timestamp: 10_000 }],
      [{ key: 'a', value: '2', timestamp: 10_000 }],
    );
    log.roll();
    expect(await compactLog(log, 14_999)).toBe(false);
    expect(readAll(log)).toHaveLength(2);
    expect(await compactLog(log, 15_000)).toBe(true);
    expect(readAll(log)).toEqual([{ offset: 1, key: 'a', value: '2' }]);
    await log.close(false);
  });

  it('waits for the share of min.cleanable.dirty.ratio', async () => {
    const log = openLog(freshFolder(), { overrides: { ...COMPACT, 'min.cleanable.dirty.ratio': '0.5' } });
    await write(log, ...Array.from({ length: 4 }, (_, at) => [{ key: `k${at}`, value: 'x'.repeat(100) }]));
    log.roll();
    expect(await compactLog(log, 1_000_000)).toBe(true);
    await write(log, [{ key: 'k0', value: 'y' }]);
    log.roll();
    expect(await compactLog(log, 1_000_000)).toBe(false);
    await write(log, ...Array.from({ length: 6 }, () => [{ key: 'k0', value: 'x'.repeat(100) }]));
    log.roll();
    expect(await compactLog(log, 1_000_000)).toBe(true);
    expect(readAll(log).map(({ key }) => key)).toEqual(['k1', 'k2', 'k3', 'k0']);
    await log.close(false);
  });

  it('keeps tombstones behind a batch whose keys it cannot read', async () => {
    const log = openLog(freshFolder(), { overrides: COMPACT });
    // Only the attributes say zstd, so the content stays unread.
    log.append(batchOf([{ key: 'a', value: 'hidden' }], { compression: COMPRESSION.zstd }));
    await write(log, [{ key: 'a', value: null }]);
    for (const at of [0, 2, 4]) {
      log.roll();
      await compactLog(log, 1_000_000 + at * DELETE_RETENTION_MS);
      await write(log, [{ key: 'b', value: String(at) }]);
    }
    const sealed = log.segments.slice(0, -1);
    const offsets = sealed.flatMap((segment) =>
      [...segment.scan(0, true)].map(({ batch }) => batch.baseOffset),
    );
    expect(offsets.slice(0, 2)).toEqual([0, 1]);
    await log.close(false);
  });
});
