import { barsOfPoints } from './bars-of-points';

const at = (hour: number, priceUsd: number) => ({ atMs: Date.UTC(2026, 10, 20, hour), priceUsd });

describe('barsOfPoints', () => {
  it('makes a bar of each UTC day, whatever the order of its points', () => {
    const points = [
      at(20, 12),
      at(0, 10),
      at(6, 14),
      at(12, 9),
      at(24, 12),
      at(30, 13),
      at(36, 11),
      at(42, 15),
    ];
    expect(barsOfPoints(points)).toEqual([
      { day: '2026-11-20', open: 10, high: 14, low: 9, close: 12 },
      { day: '2026-11-21', open: 12, high: 15, low: 11, close: 15 },
    ]);
  });

  it('leaves a gap for a day with fewer than four prices', () => {
    expect(barsOfPoints([at(0, 10), at(6, 0), at(12, 9), at(18, NaN), at(20, 8)])).toEqual([]);
  });
});
