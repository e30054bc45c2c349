import { confidenceScore } from './confidence-score';

describe('confidenceScore', () => {
  it.each([
    [0, 0.9],
    [10, 0.45],
    [20, 0],
    [1_000, 0],
    [-1, 0.9],
  ])('is %d blocks old: %d', (ageBlocks, score) => expect(confidenceScore(ageBlocks)).toBeCloseTo(score, 12));

  it('falls with the spread of the sources, to 0 at 2 %', () => {
    expect([0, 0.5, 2, 3].map((spread) => confidenceScore(0, spread))).toEqual([1, 0.75, 0, 0]);
    expect(confidenceScore(10, 1)).toBe(0.25);
  });
});
