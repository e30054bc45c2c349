import { BlockTimes } from './block-times';

const seen = (...blocks: [number, number][]): BlockTimes => {
  const times = new BlockTimes();
  for (const [number, timestamp] of blocks) times.add({ number, timestamp });
  return times;
};

describe('BlockTimes', () => {
  it('has no figure before two blocks', () => {
    expect(seen().averageSeconds).toBeNull();
    expect(seen([7, 100], [7, 100]).averageSeconds).toBeNull();
  });

  it('is the mean over all blocks between, including those that were not read', () => {
    expect(seen([10, 100], [11, 112], [20, 220]).averageSeconds).toBe(12);
  });

  it('forgets blocks older than ten minutes', () => {
    expect(seen([1, 0], [2, 600], [3, 601], [4, 602]).averageSeconds).toBe(1);
  });

  it('restarts when the chain has a lower head', () => {
    expect(seen([10, 100], [5, 200], [6, 203]).averageSeconds).toBe(3);
  });
});
