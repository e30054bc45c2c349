import fc from 'fast-check';
import { dayEndMs, windowEndMs, windowOffsetMs } from './window';

const instant = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2100, 0) });
const offset = fc.integer({ min: 0, max: 59_999 });

describe('the minute window', () => {
  it('ends within the next 60 s, a whole number of minutes from its offset', () => {
    fc.assert(
      fc.property(instant, offset, (nowMs, offsetMs) => {
        const end = windowEndMs(nowMs, offsetMs);
        expect(end - nowMs).toBeGreaterThan(0);
        expect(end - nowMs).toBeLessThanOrEqual(60_000);
        expect((end - offsetMs) % 60_000).toBe(0);
      }),
    );
  });

  it('is the next one exactly at its end', () => {
    fc.assert(
      fc.property(instant, offset, (nowMs, offsetMs) => {
        const end = windowEndMs(nowMs, offsetMs);
        expect(windowEndMs(end - 1, offsetMs)).toBe(end);
        expect(windowEndMs(end, offsetMs)).toBe(end + 60_000);
      }),
    );
  });

  it('has an offset that follows from the id and spreads over the minute', () => {
    const offsets = Array.from({ length: 600 }, (_, i) => windowOffsetMs(`account:${i}`));
    expect(windowOffsetMs('account:7')).toBe(offsets[7]);
    expect(Math.max(...offsets)).toBeLessThan(60_000);
    expect(new Set(offsets.map((each) => Math.floor(each / 6_000))).size).toBe(10);
  });
});

describe('the day', () => {
  it('ends at the next UTC midnight', () => {
    expect(dayEndMs(Date.UTC(2026, 10, 21, 23, 59, 59, 999))).toBe(Date.UTC(2026, 10, 22));
    expect(dayEndMs(Date.UTC(2026, 10, 22))).toBe(Date.UTC(2026, 10, 23));
  });
});
