import { pathOf, rangeOf } from './line';

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
});
