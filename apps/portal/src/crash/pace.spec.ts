import { Paces, byTime } from './pace';

const SECOND = 1_000;

function falling(id: string, from: number, perSecond: number, seconds: number, paces = new Paces()): Paces {
  for (let second = 0; second <= seconds; second += 1)
    paces.add(id, from * (1 - perSecond) ** second, second * SECOND);
  return paces;
}

describe('the time to liquidation', () => {
  it('goes on with the fall of the last minute', () => {
    const paces = falling('a', 1.4, 0.002, 100);
    const now = 1.4 * 0.998 ** 100;
    expect(paces.secondsLeft('a', 100 * SECOND)).toBeCloseTo(Math.log(now) / -Math.log(0.998), 6);
  });

  it('is 0 below 1, and null where the health factor rises, stays or is not known', () => {
    expect(falling('a', 0.999, 0, 20).secondsLeft('a', 20 * SECOND)).toBe(0);
    expect(falling('a', 1.2, -0.01, 20).secondsLeft('a', 20 * SECOND)).toBeNull();
    expect(falling('a', 1.2, 0, 20).secondsLeft('a', 20 * SECOND)).toBeNull();
    expect(new Paces().secondsLeft('a', 0)).toBeNull();
  });

  it('becomes longer once the fall is over, and null a minute later', () => {
    const paces = falling('a', 1.4, 0.01, 20);
    const [during, after, later] = [20, 50, 81].map((second) => paces.secondsLeft('a', second * SECOND));
    expect(after).toBeGreaterThan(during!);
    expect(later).toBeNull();
  });

  it('counts a fall in the first seconds as one of ten', () => {
    const paces = falling('a', 1.4, 0.1, 1);
    expect(paces.secondsLeft('a', SECOND)).toBeCloseTo((Math.log(1.26) / Math.log(1.4 / 1.26)) * 10, 6);
  });

  it('is null beyond a day', () => {
    expect(falling('a', 2, 0.000001, 60).secondsLeft('a', 60 * SECOND)).toBeNull();
  });

  it('orders positions, and those that do not fall by their health factor', () => {
    const paces = new Paces();
    const figures: [string, number, number | null][] = [
      ['steady', 1.05, 1.05],
      ['slow', 1.3, 1.29],
      ['fast', 1.6, 1.2],
      ['late', 1.1, 0.98],
      ['later', 1.1, 0.97],
      ['safe', 2, 2],
      ['free', 1, null],
    ];
    for (const [id, before, now] of figures) {
      paces.add(id, before, 0);
      paces.add(id, now, 20 * SECOND);
    }
    const positions = figures.map(([id, , healthFactor]) => ({ id, healthFactor }));
    expect(byTime(positions, paces, 20 * SECOND).map(({ position }) => position.id)).toEqual([
      'later',
      'late',
      'fast',
      'slow',
      'steady',
      'safe',
      'free',
    ]);
  });
});
