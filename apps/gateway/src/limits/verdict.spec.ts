import fc from 'fast-check';
import {
  admissible,
  dayEndMs,
  type Figures,
  retryAfterSeconds,
  type Taking,
  verdictOn,
  windowEndMs,
  windowOffsetMs,
} from './verdict';

const nowMs = Date.UTC(2026, 10, 21, 12);
const taking = (part: Partial<Taking>): Taking => ({
  nowMs,
  used: 0,
  usedToday: 0,
  admitted: 1,
  windowEndMs: nowMs + 20_000,
  ...part,
});
const figures: Figures = { perMinute: 10, perDay: 1_000 };

describe('verdictOn', () => {
  it('returns each number of Remaining once, down to 0', () => {
    fc.assert(
      fc.property(fc.nat(80), fc.nat(12), (wanted, used) => {
        const admitted = admissible(wanted, used, used, figures);
        const verdicts = Array.from({ length: wanted }, (_, i) =>
          verdictOn(i, taking({ used, admitted }), figures),
        );
        const remaining = verdicts.filter((each) => each.admitted).map((each) => each.remaining);
        expect(remaining).toEqual(Array.from({ length: admitted }, (_, i) => 10 - used - 1 - i));
        expect(
          verdicts.slice(admitted).every((each) => each.remaining === 0 && each.exceeded === 'minute'),
        ).toBe(true);
      }),
    );
  });

  it('reports minute with the end of the window, and does not change the day', () => {
    const verdict = verdictOn(0, taking({ used: 10, usedToday: 40, admitted: 0 }), figures);
    expect(verdict).toMatchObject({
      exceeded: 'minute',
      resetMs: nowMs + 20_000,
      daily: { limit: 1_000, remaining: 960 },
    });
    expect(retryAfterSeconds(verdict)).toBe(20);
  });

  it('reports day with the next UTC midnight', () => {
    const verdict = verdictOn(0, taking({ used: 3, usedToday: 1_000, admitted: 0 }), figures);
    expect(verdict).toMatchObject({
      exceeded: 'day',
      remaining: 0,
      resetMs: Date.UTC(2026, 10, 22),
      daily: { limit: 1_000, remaining: 0 },
    });
    expect(retryAfterSeconds(verdict)).toBe(12 * 3_600);
  });

  it('has no daily figures without a daily limit', () => {
    expect(verdictOn(0, taking({}), { perMinute: 10, perDay: null }).daily).toBeNull();
  });
});

describe('admissible', () => {
  it('is bounded by both limits, and 0 when a limit was lowered below the used number', () => {
    expect(admissible(5, 8, 0, figures)).toBe(2);
    expect(admissible(5, 0, 997, figures)).toBe(3);
    expect(admissible(5, 60, 0, figures)).toBe(0);
    expect(admissible(5, 0, 0, { perMinute: 10, perDay: null })).toBe(5);
  });
});

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

  it('is the next window exactly at its end', () => {
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
