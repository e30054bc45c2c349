import { isDust } from './dust';

describe('isDust', () => {
  it.each<[number | null, number | null, boolean]>([
    [0.02, 0.01, true],
    [9.99, 0, true],
    [10, 0, false],
    [0, 10, false],
    [5_000, 4, false],
    [null, 0, false],
    [0, null, false],
  ])('%p supplied and %p owed is %p', (supplied, debt, expected) => {
    expect(isDust(supplied, debt)).toBe(expected);
  });
});
