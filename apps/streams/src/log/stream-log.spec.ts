import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor';
import type { StreamEvent } from './stream-event';
import { StreamLog } from './stream-log';

const event = (partition: number, offset: number, timeMs: number): StreamEvent => ({
  partition,
  offset,
  id: `evt_${partition}_${offset}`,
  timeMs,
  accountId: 'acc_1',
  isForAll: false,
  subject: { position: null, severity: 'high' },
  body: 'x'.repeat(100),
});
const begun = (windowMs = 1_000, maxBytes = 1e9, maxHeldBytes = 0): StreamLog => {
  const log = new StreamLog('alerts', windowMs, maxBytes, maxHeldBytes);
  log.begin(0, 0);
  log.begin(1, 5);
  return log;
};

/** Appends more events of the first partition. */
const appendTo = (log: StreamLog): ((count: number) => void) => {
  let offset = 0;
  return (count) => {
    for (const end = offset + count; offset < end; offset += 1) log.append(event(0, offset, offset));
  };
};

describe('cursor', () => {
  it('contains every offset, for its own stream only', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { maxLength: 20 }), (streamOffset) => {
        expect(decodeCursor('alerts', encodeCursor('alerts', streamOffset))).toEqual(streamOffset);
        expect(decodeCursor('positions', encodeCursor('alerts', streamOffset))).toBeNull();
      }),
    );
  });

  it('of an earlier release contains no partition of a later topic, so all of it in memory comes after', () => {
    const cursor = Buffer.from('1alerts.5.7').toString('base64url');
    const streamOffset = decodeCursor('alerts', cursor);
    expect(streamOffset).toEqual([5, -1, 7, -1]);
    const log = new StreamLog('alerts', 1_000, 1e9, 0);
    // The second topic begins before the first.
    log.begin(3, 40);
    log.begin(1, 20);
    log.begin(0, 0);
    log.begin(2, 2);
    expect(log.streamOffset).toEqual([0, 20, 2, 40]);
    expect(log.completed(streamOffset!)).toEqual([5, 20, 7, 40]);
    expect(decodeCursor('positions', Buffer.from('2positions.5').toString('base64url'))).toBeNull();
  });

  it('is not parsed from any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(decodeCursor('alerts', text)).toBeNull()));
    expect(decodeCursor('alerts', Buffer.from('1alerts.zzzzzzzzzzz').toString('base64url'))).toBeNull();
  });
});

describe('StreamLog', () => {
  it('has a cursor from its beginning, also for partitions without an event', () => {
    const log = begun();
    expect(decodeCursor('alerts', log.cursor)).toEqual([0, 5]);
    log.append(event(0, 0, 1));
    log.advance(1, 9);
    expect(decodeCursor('alerts', log.cursor)).toEqual([1, 9]);
  });

  it('accepts an event once, although Kafka may contain it twice', () => {
    const log = begun();
    expect(log.append(event(0, 0, 1))).toBe(true);
    expect(log.append({ ...event(0, 0, 1), offset: 1 })).toBe(false);
    expect(log.append(event(0, 0, 1))).toBe(false);
    expect(log.streamOffset).toEqual([2, 5]);
    expect(log.after([0, 0], 10)).toHaveLength(1);
  });

  it('drops events past the window and reports that', () => {
    const log = begun();
    for (let offset = 0; offset < 10; offset += 1) log.append(event(0, offset, offset * 100));
    log.expire(1_500);
    expect(log.coverage([4, 5])).toBe('past');
    expect(log.coverage([5, 5])).toBe('memory');
    expect(log.coverage([5, 4])).toBe('past');
    expect(log.after([5, 5], 10).map(({ offset }) => offset)).toEqual([5, 6, 7, 8, 9]);
  });

  it('reports events that exceeded memory but are still in Kafka', () => {
    const log = begun(1_000, 2_600);
    for (let offset = 0; offset < 10; offset += 1) log.append(event(0, offset, offset));
    expect(log.starts).toEqual([5, 5]);
    expect(log.coverage([4, 5])).toBe('log');
    expect(log.coverage([5, 5])).toBe('memory');
  });

  it('keeps held events while there is capacity, and drops them gradually afterwards', () => {
    const log = begun(1_000, 2_600, 1_000_000);
    const append = appendTo(log);
    append(10);
    const hold = log.hold(log.starts);
    append(90);
    expect(log.coverage([5, 5])).toBe('memory');
    const later = log.hold([50, 5]);
    append(1);
    expect(log.coverage([5, 5])).toBe('memory');
    hold.release();
    append(1);
    expect(log.starts).toEqual([50, 5]);
    later.moveTo([90, 5]);
    append(1);
    expect(log.starts).toEqual([90, 5]);
    append(150);
    later.release();
    append(1);
    expect(log.starts).toEqual([154, 5]);
    append(2);
    expect(log.starts).toEqual([251, 5]);
  });

  it('ends a hold beyond the capacity, and keeps the events of a later one', () => {
    // Capacity for five events, and for five more that are held.
    const log = begun(1_000, 2_600, 2_600);
    const append = appendTo(log);
    append(10);
    log.hold(log.starts);
    append(5);
    expect(log.starts).toEqual([5, 5]);
    append(15);
    expect(log.starts).toEqual([25, 5]);
    log.hold(log.starts);
    append(5);
    expect(log.starts).toEqual([25, 5]);
    append(1);
    expect(log.starts).toEqual([31, 5]);
  });

  it('recognises an offset that it has not read yet', () => {
    const log = begun();
    expect(log.isBehind([0, 5])).toBe(false);
    expect(log.isBehind([0, 6])).toBe(true);
    expect(log.isBehind([0, 5, 1])).toBe(true);
  });

  it('returns the events after any offset, in order within a partition, by any steps', () => {
    const steps = fc.array(fc.record({ partition: fc.nat(2), gap: fc.nat(3), timeMs: fc.nat(50) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.nat(40), { maxLength: 3 }),
        fc.integer({ min: 1, max: 7 }),
        (made, streamOffset, limit) => {
          const log = new StreamLog('alerts', 1_000, 1e9, 0);
          for (const partition of [0, 1, 2]) log.begin(partition, 0);
          const next = [0, 0, 0];
          const all = made.map(({ partition, gap, timeMs }) => {
            const offset = (next[partition] ?? 0) + gap;
            next[partition] = offset + 1;
            return event(partition, offset, timeMs);
          });
          for (const each of all) log.append(each);
          const at = [0, 1, 2].map((partition) => streamOffset[partition] ?? 0);
          const expected = all.filter(({ partition, offset }) => offset >= (at[partition] ?? 0));
          const found: StreamEvent[] = [];
          for (let events = log.after(at, limit); events.length > 0; events = log.after(at, limit)) {
            for (const each of events) {
              expect(each.offset).toBeGreaterThanOrEqual(at[each.partition] ?? 0);
              at[each.partition] = each.offset + 1;
              found.push(each);
            }
          }
          expect(new Set(found)).toEqual(new Set(expected));
          expect(found).toHaveLength(expected.length);
        },
      ),
    );
  });
});
