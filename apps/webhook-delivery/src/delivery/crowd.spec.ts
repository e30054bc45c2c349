import { Crowd } from './crowd';

describe('Crowd', () => {
  it('is there while batches come in full, and a little longer', () => {
    const crowd = new Crowd();
    expect(crowd.isThere(0)).toBe(false);
    crowd.cameIn(249, 1_000);
    expect(crowd.isThere(1_000)).toBe(false);
    crowd.cameIn(250, 1_000);
    expect(crowd.isThere(1_199)).toBe(true);
    crowd.cameIn(500, 1_199);
    crowd.cameIn(1, 1_200);
    expect(crowd.isThere(1_398)).toBe(true);
    expect(crowd.isThere(1_399)).toBe(false);
  });
});
