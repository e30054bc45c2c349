import fc from 'fast-check';
import { crc32c } from './crc32c';
import { COMPRESSION, RecordBatch } from './record-batch';
import { decodeRecords, isReadable, newBatch, rebuildBatch } from './records';
import { encodeVarint, readVarint } from './varint';

const field = fc.option(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  { nil: null },
);
const records = fc.array(
  fc.record({ key: field, value: field, timestamp: fc.integer({ min: 0, max: 2_000_000_000_000 }) }),
  { minLength: 1, maxLength: 20 },
);
const compression = fc.constantFrom(COMPRESSION.none, COMPRESSION.gzip);

describe('crc32c', () => {
  it('is the checksum of Castagnoli', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe306_9283);
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a91_36aa);
  });
});

describe('variable-length integers', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 50), max: 2 ** 50 }), (value) => {
        const encoded = encodeVarint(value);
        expect(readVarint(encoded, 0)).toEqual({ value, end: encoded.length });
      }),
    );
  });

  it('are rejected when cut off', () => {
    expect(() => readVarint(Buffer.from([0x80]), 0)).toThrow(RangeError);
  });
});

describe('a record batch', () => {
  it('contains its records, with their times and offsets', () => {
    fc.assert(
      fc.property(records, compression, (list, codec) => {
        const batch = new RecordBatch(newBatch(list, { compression: codec }));
        expect(batch.isIntact()).toBe(true);
        expect(batch.maxTimestamp).toBe(Math.max(...list.map(({ timestamp }) => timestamp)));
        const decoded = decodeRecords(batch).map(({ key, value, timestampDelta, offsetDelta }) => ({
          key,
          value,
          timestamp: batch.baseTimestamp + timestampDelta,
          offsetDelta,
        }));
        expect(decoded).toEqual(list.map((record, offsetDelta) => ({ ...record, offsetDelta })));
      }),
    );
  });

  it('keeps offsets and times of the records that stay when it is rebuilt', () => {
    const horizon = fc.option(fc.integer({ min: 0, max: 2_000_000_000_000 }), { nil: undefined });
    fc.assert(
      fc.property(records, compression, horizon, fc.integer(), (list, codec, deleteHorizon, mask) => {
        const original = new RecordBatch(newBatch(list, { compression: codec, baseOffset: 1_000 }));
        const kept = decodeRecords(original).filter((_, at) => at === 0 || (mask >> at) & 1);
        const rebuilt = new RecordBatch(rebuildBatch(original, kept, deleteHorizon));
        expect(rebuilt.isIntact()).toBe(true);
        expect(rebuilt.deleteHorizon).toBe(deleteHorizon);
        expect([rebuilt.baseOffset, rebuilt.lastOffset]).toEqual([original.baseOffset, original.lastOffset]);
        const times = (batch: RecordBatch) =>
          decodeRecords(batch).map(({ timestampDelta, offsetDelta }) => [
            batch.baseTimestamp + timestampDelta,
            batch.baseOffset + offsetDelta,
          ]);
        const keptOffsets = new Set(kept.map(({ offsetDelta }) => 1_000 + offsetDelta));
        expect(times(rebuilt)).toEqual(times(original).filter(([, offset]) => keptOffsets.has(offset ?? -1)));
      }),
    );
  });

  it('is not intact when any byte after the leader epoch changes', () => {
    const bytes = newBatch([{ key: Buffer.from('k'), value: Buffer.from('v'), timestamp: 1 }]);
    for (let at = 16; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x01;
      expect(new RecordBatch(damaged).isIntact()).toBe(false);
    }
  });

  it('reports the codecs that cannot be read here', () => {
    const readable = Object.values(COMPRESSION).filter((codec) =>
      isReadable(
        new RecordBatch(newBatch([{ key: null, value: null, timestamp: 0 }], { compression: codec })),
      ),
    );
    expect(readable).toEqual([COMPRESSION.none, COMPRESSION.gzip]);
  });
});
