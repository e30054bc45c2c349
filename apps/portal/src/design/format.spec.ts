import { formatAgo, formatCount, formatDay, formatDuration, formatMs, formatUtc } from './format';

describe('formats', () => {
  it('group digits', () => {
    expect([0, 999, 1_240, 965_700_000].map(formatCount)).toEqual(['0', '999', '1,240', '965,700,000']);
  });

  it('state a duration in its largest unit', () => {
    expect([0, 59, 60, 3_599, 7_200, 86_400, 1_036_800].map(formatDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min',
      '59 min',
      '2 h',
      '1 day',
      '12 days',
    ]);
  });

  it('state milliseconds with one decimal below ten', () => {
    expect([0.04, 3.24, 48.4, 1_204.2].map(formatMs)).toEqual(['0.0 ms', '3.2 ms', '48 ms', '1,204 ms']);
  });

  it('state a time beside now, in both directions', () => {
    const now = new Date('2026-11-27T12:00:00Z');
    const at = (seconds: number): string => formatAgo(new Date(now.getTime() + seconds * 1_000), now);
    expect([-130, -3, 2, 10_800].map(at)).toEqual(['2 min ago', 'just now', 'just now', 'in 3 h']);
  });

  it('state days and times of UTC', () => {
    expect(formatUtc(new Date('2026-11-27T12:48:43.120Z'))).toBe('2026-11-27 12:48:43 UTC');
    expect(formatDay('2026-11-27')).toBe('27 Nov');
  });
});
