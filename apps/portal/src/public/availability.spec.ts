import { availabilityText, latencyText, minutesText, shareOf } from './availability';

const day = (operational: number, degraded = 0, down = 0, unrecorded = 0) => ({
  date: '2026-11-28',
  operational,
  degraded,
  down,
  unrecorded,
  eventLatencyMs: null,
  eventLatencyMaxMs: null,
});

describe('availability', () => {
  it('is the share of operational and degraded minutes, and unknown without a minute', () => {
    expect(shareOf(day(6, 2, 1, 1))).toBe(0.8);
    expect(shareOf(day(0))).toBeNull();
  });

  it('is rounded down', () => {
    expect([1, 0.999999, 0.9999, 0.9876, 0.625, 0, null].map(availabilityText)).toEqual([
      '100 %',
      '99.99 %',
      '99.99 %',
      '98.7 %',
      '62.5 %',
      '0.0 %',
      'not recorded yet',
    ]);
  });

  it('has minutes and latencies in readable units', () => {
    expect([0, 3, 60, 125, 1_440, 4_560].map(minutesText)).toEqual([
      '0 min',
      '3 min',
      '1 h',
      '2 h 5 min',
      '1 day',
      '3 days 4 h',
    ]);
    expect([null, 480.4, 1_420, 95_400].map(latencyText)).toEqual(['unknown', '480 ms', '1.4 s', '95 s']);
  });
});
