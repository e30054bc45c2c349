import fc from 'fast-check';
import { LogMark } from './track-record-task';

const at = (handled: bigint, end: bigint) => [{ partition: 0, handled, end }];

describe('LogMark', () => {
  it('has no moment while the first events wait', () => {
    const mark = new LogMark();
    expect(mark.see(at(0n, 10n), 1_000)).toBeNull();
    expect(mark.see(at(9n, 20n), 2_000)).toBeNull();
    expect(mark.see(at(10n, 30n), 3_000)).toBe(1_000);
  });

  it('is current if no event waits, also for an empty topic', () => {
    expect(new LogMark().see([], 5)).toBe(5);
    expect(new LogMark().see(at(7n, 7n), 5)).toBe(5);
  });

  it('does not change while the consumer makes no progress', () => {
    const mark = new LogMark();
    mark.see(at(7n, 7n), 1_000);
    expect(mark.see(at(7n, 9n), 2_000)).toBe(1_000);
    expect(mark.see(at(7n, 11n), 3_000)).toBe(1_000);
    expect(mark.see(at(9n, 12n), 4_000)).toBe(2_000);
  });

  it('is never a moment at which an event waited, and never decreases', () => {
    const step = fc.record({ published: fc.integer({ min: 0, max: 5 }), handled: fc.nat({ max: 5 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const mark = new LogMark();
        const endAt = new Map<number, bigint>();
        let [end, handled, last] = [0n, 0n, 0];
        steps.forEach((each, index) => {
          const nowMs = index + 1;
          end += BigInt(each.published);
          const most = end - handled;
          handled += BigInt(each.handled) < most ? BigInt(each.handled) : most;
          endAt.set(nowMs, end);
          const known = mark.see(at(handled, end), nowMs);
          if (known === null) return;
          expect(endAt.get(known)).toBeLessThanOrEqual(handled);
          expect(known).toBeGreaterThanOrEqual(last);
          last = known;
        });
      }),
    );
  });
});
