import { apart, areaOf, pathOf, rangeOf } from './line';

describe('the line of a chart', () => {
  const same = (value: number): number => value;

  it('has a part between each two gaps, also where it is one point', () => {
    const points = [
      { at: 0, value: 1 },
      { at: 1, value: 2 },
      { at: 2, value: null },
      { at: 3, value: 4 },
      { at: 4, value: null },
    ];
    expect(pathOf(points, same, same)).toBe('M0.0 1.0L0.0 1.0L1.0 2.0M3.0 4.0L3.0 4.0');
  });

  it('is inside of its range, with the line that it must not cross', () => {
    expect(rangeOf([{ at: 0, value: 2 }], 1)).toEqual([0.9, 2.1]);
    expect(rangeOf([{ at: 0, value: null }], 1)).toEqual([0.9, 1.1]);
  });

  it('has a band between its two ends, without the times at which one is unknown', () => {
    const names = ['high', 'middle', 'low'] as const;
    const points = (...values: (number | null)[]) => values.map((value, at) => ({ at, value }));
    expect(areaOf({ low: points(1, 2, 3), high: points(4, null, 6), names }, same, same)).toBe(
      'M0.0 4.0L2.0 6.0L2.0 3.0L0.0 1.0Z',
    );
    expect(areaOf({ low: points(null), high: points(4), names }, same, same)).toBe('');
  });

  it('has labels that do not cover each other', () => {
    expect(apart([10, 50, 90], 8, 100)).toEqual([10, 50, 90]);
    expect(apart([50, 51, 52], 8, 100)).toEqual([50, 58, 66]);
    expect(apart([95, 98, 99], 8, 100)).toEqual([84, 92, 100]);
  });
});
