import { addDays } from '../history/day-bar';
import { judge, replay } from './replay';
import { runReplay } from './run-replay';

/** Quiet days of 2 %, with a week of 20 % between them. */
function ranges(days: number, wildFrom: number): Map<string, { high: number; low: number }> {
  return new Map(
    Array.from({ length: days }, (_, index) => {
      const size = index >= wildFrom && index < wildFrom + 7 ? 0.2 : 0.02;
      return [addDays('2020-01-01', index), { high: 100 * Math.exp(size), low: 100 }] as const;
    }),
  );
}
const wild = { name: 'wild', from: addDays('2020-01-01', 300), to: addDays('2020-01-01', 306) };

describe('replay', () => {
  it('has a figure for every day after the warm-up, gaps included', () => {
    const prices = ranges(400, 300);
    prices.delete(addDays('2020-01-01', 200));
    const series = replay([prices, new Map()]);
    expect(series).toHaveLength(340);
    expect(series[140]?.points).toBe(series[139]?.points);
    expect(replay([])).toEqual([]);
  });
});

describe('judge', () => {
  it('is met in a volatile week and not in a quiet one', () => {
    const series = replay([ranges(400, 300)]);
    expect(judge(series, wild)).toMatchObject({ holds: true, endPercentile: 100, reachedOn: wild.from });
    const quiet = { name: 'quiet', from: addDays('2020-01-01', 200), to: addDays('2020-01-01', 206) };
    expect(judge(series, quiet)).toMatchObject({ holds: false, reachedOn: null });
  });

  it('throws for a period without prices', () => {
    expect(() => judge(replay([ranges(400, 300)]), { ...wild, to: '2030-01-01' })).toThrow(RangeError);
  });
});

describe('runReplay', () => {
  it('--help prints the usage and reads nothing', () => {
    const lines: string[] = [];
    expect(runReplay(['--help'], { root: '/nowhere', out: (line) => lines.push(line) })).toBe(0);
    expect(lines.join('\n')).toContain('usage: npm run tool -- index-replay');
  });
});
