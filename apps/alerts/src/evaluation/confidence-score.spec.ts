import { confidenceScore } from './confidence-score';

describe('confidenceScore', () => {
  it.each([
    [0, 0.9],
    [10, 0.45],
    [20, 0],
    [1_000, 0],
    [-1, 0.9],
  ])('of a state %d blocks old is %d', (ageBlocks, score) =>
    expect(confidenceScore(ageBlocks)).toBeCloseTo(score, 12),
  );
});
