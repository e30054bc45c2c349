import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { ERROR, ProtocolError } from '../protocol/error-codes';
import { RecordBatch } from '../protocol/record-batch';
import { batchOf, openLog, readAll, temporaryFolder, type PlainRecord } from '../../test/log-fixture';
import type { PartitionLog } from './partition-log';
import { applyRetention, rollByAge } from '../server/maintenance';

const folder = temporaryFolder();
let count = 0;
const freshFolder = (): string => path.join(folder.path, String((count += 1)));
afterAll(() => folder.remove());

async function write(log: PartitionLog, ...batches: PlainRecord[][]): Promise<void> {
  for (const records of batches) log.append(batchOf(records));
  await log.sync();
}

const one = (value: string, timestamp?: number): PlainRecord[] => [{ key: 'k', value, timestamp }];
const values = (log: PartitionLog) => readAll(log).map(({ value }) => value);

function codeOfFailure(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof ProtocolError ? error.code : error;
  }
}

const randomBatches = fc.array(
  fc.array(
    fc.record({
      key: fc.string({ maxLength: 10 }),
      value: fc.option(fc.string({ maxLength: 100 }), { nil: null }),
      timestamp: fc.integer({ min: 0, max: 900_000 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  { minLength: 1, maxLength: 25 },
);

describe('the log of a partition', () => {
  it('returns every record in order, over segments and restarts, clean or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomBatches,
        fc.integer({ min: 200, max: 2_000 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 3_000 }),
        async (batches, segmentBytes, isClean, fetchBytes) => {
          const directory = freshFolder();
          const options = { overrides: { 'segment.bytes': String(segmentBytes) } };
          const log = openLog(directory, options);
          await write(log, ...batches);
          const expected = batches.flat().map(({ key, value }, offset) => ({ offset, key, value }));
          expect(readAll(log, fetchBytes)).toEqual(expected);
          await log.close(isClean);
          const again = openLog(directory, { ...options, wasCleanStop: isClean });
          expect(again.logEndOffset).toBe(expected.length);
          expect(readAll(again, fetchBytes)).toEqual(expected);
          await again.close(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds the first record of a time or later, as a search through all of them does', async () => {
    await fc.assert(
      fc.asyncProperty(randomBatches, fc.integer({ min: 0, max: 900_000 }), async (batches, timestamp) => {
        const log = openLog(freshFolder(), {
          overrides: { 'segment.bytes': '600', 'index.interval.bytes': '150' },
        });
        await write(log, ...batches);
        const all = batches.flat().map((record, offset) => ({ offset, timestamp: record.timestamp }));
        expect(log.findTimestamp(timestamp)).toEqual(all.find((record) => record.timestamp >= timestamp));
        await log.close(false);
      }),
      { numRuns: 60 },
    );
  });

  it('loses only the batch that was cut off, wherever the file ends', async () => {
    const directory = freshFolder();
    const log = openLog(directory);
    await write(log, one('a'), one('bb'), one('ccc'));
    const file = path.join(directory, '00000000000000000000.log');
    const first = new RecordBatch(log.read(0, 1)).sizeInBytes;
    const second = first + new RecordBatch(log.read(1, 1)).sizeInBytes;
    const size = statSync(file).size;
    await log.close(false);

    for (let cut = 0; cut <= size; cut += 1) {
      const torn = freshFolder();
      mkdirSync(torn);
      copyFileSync(file, path.join(torn, path.basename(file)));
      truncateSync(path.join(torn, path.basename(file)), cut);
      const recovered = openLog(torn);
      const expected = ['a', 'bb', 'ccc'].slice(0, [first, second, size].filter((end) => end <= cut).length);
      expect(values(recovered)).toEqual(expected);
      await write(recovered, one('next'));
      expect(values(recovered)).toEqual([...expected, 'next']);
      expect(readAll(recovered).map(({ offset }) => offset)).toEqual([...expected.keys(), expected.length]);
      await recovered.close(false);
    }
  });

  it('hides records from consumers until they are durable', async () => {
    const log = openLog(freshFolder(), { isDurable: true });
    log.append(batchOf(one('a')));
    expect([log.highWatermark, log.logEndOffset, values(log)]).toEqual([0, 1, []]);
    await log.sync();
    expect([log.highWatermark, values(log)]).toEqual([1, ['a']]);
    await log.close(false);
  });

  it('rejects batches that are damaged, too large, with a future time or without a required key', async () => {
    const log = openLog(freshFolder(), {
      overrides: { 'cleanup.policy': 'compact', 'max.message.bytes': '200' },
    });
    const damaged = batchOf(one('a'));
    damaged[damaged.length - 1] = 1;
    const refused = (bytes: Buffer) => codeOfFailure(() => log.append(bytes));
    expect(refused(damaged)).toBe(ERROR.CORRUPT_MESSAGE);
    expect(refused(Buffer.alloc(10))).toBe(ERROR.CORRUPT_MESSAGE);
    expect(refused(batchOf(one('a'.repeat(200))))).toBe(ERROR.MESSAGE_TOO_LARGE);
    expect(refused(batchOf(one('a', 1_000_000 + 3_600_001)))).toBe(ERROR.INVALID_TIMESTAMP);
    expect(refused(batchOf([{ key: null, value: 'a' }]))).toBe(ERROR.INVALID_RECORD);
    expect(refused(Buffer.concat([batchOf(one('a')), batchOf(one('b'))]))).toBe(ERROR.INVALID_RECORD);
    expect(refused(batchOf(one('a'), { isTransactional: true }))).toBe(ERROR.INVALID_TXN_STATE);
    expect(refused(batchOf(one('a'), { lastOffsetDelta: 3 }))).toBe(ERROR.INVALID_RECORD);
    expect(log.logEndOffset).toBe(0);
    await log.close(false);
  });

  it('recognises repeated batches of an idempotent producer, also after a restart', async () => {
    const directory = freshFolder();
    let log = openLog(directory);
    const sent = (baseSequence: number, producerEpoch = 0, size = 2) =>
      batchOf(Array.from({ length: size }, () => one('v')).flat(), {
        producerId: 7,
        producerEpoch,
        baseSequence,
      });
    const code = (bytes: Buffer) => codeOfFailure(() => log.append(bytes));
    for (let at = 0; at < 6; at += 1) expect(log.append(sent(at * 2))).toBe(at * 2);
    const check = (): void => {
      expect(log.append(sent(10))).toBe(10);
      expect(log.append(sent(2))).toBe(2);
      expect(code(sent(0))).toBe(ERROR.OUT_OF_ORDER_SEQUENCE_NUMBER);
      expect(code(sent(14))).toBe(ERROR.OUT_OF_ORDER_SEQUENCE_NUMBER);
      expect(code(sent(12, 1))).toBe(ERROR.OUT_OF_ORDER_SEQUENCE_NUMBER);
    };
    check();
    await log.close(false);
    log = openLog(directory);
    check();
    log.roll();
    await log.close(true);
    log = openLog(directory, { wasCleanStop: true });
    check();
    expect(log.append(sent(0, 1))).toBe(12);
    expect(code(sent(12))).toBe(ERROR.INVALID_PRODUCER_EPOCH);
    await log.close(false);
  });

  it('starts a segment when the records of the current one span segment.ms, however old they are', async () => {
    const log = openLog(freshFolder(), { overrides: { 'segment.ms': '100' }, now: () => 900_000_000 });
    await write(log, one('a', 1_000), one('b', 1_100), one('c', 1_101), one('d', 1_150));
    expect(log.segments.map(({ baseOffset }) => baseOffset)).toEqual([0, 2]);
    await log.close(false);
  });

  it('continues after the largest sequence number with zero', async () => {
    const log = openLog(freshFolder());
    const sent = (baseSequence: number) =>
      batchOf(one('v'), { producerId: 7, producerEpoch: 0, baseSequence });
    expect([log.append(sent(2 ** 31 - 1)), log.append(sent(0)), log.append(sent(1))]).toEqual([0, 1, 2]);
    await log.close(false);
  });

  it('deletes the records before an offset permanently', async () => {
    const directory = freshFolder();
    const log = openLog(directory, { overrides: { 'segment.bytes': '80' } });
    await write(log, one('a'), one('b'), one('c'));
    await log.deleteRecordsBefore(2);
    expect([log.logStartOffset, values(log)]).toEqual([2, ['c']]);
    expect(readdirSync(directory).filter((name) => name.endsWith('.log'))).toHaveLength(1);
    await log.close(false);
    const again = openLog(directory);
    expect([again.logStartOffset, values(again)]).toEqual([2, ['c']]);
    await again.close(false);
  });
});

describe('retention', () => {
  const options = (overrides: Record<string, string>) => ({
    overrides: { 'segment.bytes': '80', ...overrides },
  });

  it('removes the segments that are older than retention.ms, including the active one', async () => {
    const log = openLog(freshFolder(), options({ 'retention.ms': '5000' }));
    await write(log, one('a', 1_000), one('b', 4_000), one('c', 9_000));
    await applyRetention(log, 9_500);
    expect([log.logStartOffset, values(log)]).toEqual([2, ['c']]);
    rollByAge(log, 20_000);
    await applyRetention(log, 20_000);
    expect([log.logStartOffset, log.logEndOffset, values(log)]).toEqual([3, 3, []]);
    await write(log, one('d', 20_000));
    expect(readAll(log)).toEqual([{ offset: 3, key: 'k', value: 'd' }]);
    await log.close(false);
  });

  it('removes the first segments beyond retention.bytes', async () => {
    const log = openLog(freshFolder(), options({ 'retention.bytes': '140' }));
    await write(log, one('a'), one('b'), one('c'), one('d'));
    await applyRetention(log, 2_000);
    expect(values(log)).toEqual(['c', 'd']);
    await log.close(false);
  });

  it('ignores a compacted topic', async () => {
    const log = openLog(freshFolder(), options({ 'cleanup.policy': 'compact', 'retention.ms': '1' }));
    await write(log, one('a'), one('b'));
    rollByAge(log, 100_000);
    await applyRetention(log, 100_000);
    expect(values(log)).toEqual(['a', 'b']);
    await log.close(false);
  });
});
