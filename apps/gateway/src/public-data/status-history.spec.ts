import { type DayRow, statusHistory } from './status-history';

const NOW = Date.parse('2026-11-29T00:05:30.000Z');
const row = (day: string, first: string, last: string, over: Partial<DayRow> = {}): DayRow => ({
  day,
  part: 'platform',
  firstMinute: new Date(`${day}T${first}:00.000Z`),
  lastMinute: new Date(`${day}T${last}:00.000Z`),
  operational: 0,
  degraded: 0,
  down: 0,
  latencyMinutes: 0,
  latencySumMs: 0,
  latencyMaxMs: null,
  ...over,
});

describe('the record of a part', () => {
  it('is empty before the first minute', () => {
    expect(statusHistory([], NOW)).toEqual({ since: null, availability: null, days: [] });
  });

  it('begins with its first minute, and counts minutes without a record as unavailable', () => {
    const rows = [
      row('2026-11-28', '23:50', '23:57', { operational: 6, degraded: 1, down: 1 }),
      row('2026-11-29', '00:01', '00:03', { operational: 3 }),
    ];
    const { since, availability, days } = statusHistory(rows, NOW);
    expect(since).toBe('2026-11-28T23:50:00.000Z');
    expect(days).toMatchObject([
      { date: '2026-11-28', operational: 6, degraded: 1, down: 1, unrecorded: 2 },
      { date: '2026-11-29', operational: 3, degraded: 0, down: 0, unrecorded: 2 },
    ]);
    expect(availability).toBeCloseTo(10 / 15, 12);
  });

  it('counts the running minute once it is recorded', () => {
    const first = row('2026-11-29', '00:05', '00:05', { operational: 1 });
    expect(statusHistory([first], NOW)).toMatchObject({ availability: 1, days: [{ unrecorded: 0 }] });
  });

  it('has days without any record between others', () => {
    const rows = [
      row('2026-11-27', '23:59', '23:59', { operational: 1 }),
      row('2026-11-29', '00:00', '00:04', { operational: 5 }),
    ];
    const { availability, days } = statusHistory(rows, NOW);
    expect(days.map(({ date, unrecorded }) => [date, unrecorded])).toEqual([
      ['2026-11-27', 0],
      ['2026-11-28', 1_440],
      ['2026-11-29', 0],
    ]);
    expect(availability).toBeCloseTo(6 / 1_446, 12);
  });

  it('has the mean and the highest latency of its minutes', () => {
    const latency = { operational: 5, latencyMinutes: 4, latencySumMs: 6_000, latencyMaxMs: 4_000 };
    const rows = [row('2026-11-29', '00:00', '00:04', latency)];
    expect(statusHistory(rows, NOW).days).toMatchObject([
      { eventLatencyMs: 1_500, eventLatencyMaxMs: 4_000 },
    ]);
  });
});
