import { untilNextAttempt } from './next-attempt';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const after = (seconds: number | null, finishedAt: string | null = null) => ({
  finishedAt,
  nextAttemptAt: seconds === null ? null : new Date(NOW + seconds * 1_000).toISOString(),
});
const until = (...deliveries: ReturnType<typeof after>[]): number => untilNextAttempt(deliveries, 2_000, NOW);

describe('untilNextAttempt', () => {
  it('is the time of the earliest next attempt, within half a minute', () => {
    expect(until(after(20), after(12))).toBe(12_000);
    expect(until(after(600))).toBe(30_000);
    expect(until()).toBe(30_000);
    expect(until(after(null, '2026-11-27T11:00:00.000Z'))).toBe(30_000);
  });

  it('is the shortest time while an attempt is due or in flight', () => {
    expect(until(after(null), after(12))).toBe(2_000);
    expect(until(after(-5))).toBe(2_000);
  });
});
