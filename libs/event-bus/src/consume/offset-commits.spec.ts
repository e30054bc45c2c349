import { OffsetCommits } from './offset-commits';

const logger = { warn: jest.fn() };

describe('OffsetCommits', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('commits once for all batches of an interval', async () => {
    const commits = new OffsetCommits(logger);
    const commit = jest.fn().mockResolvedValue(undefined);
    for (let batch = 0; batch < 5; batch += 1) commits.due(commit);
    expect(commit).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(200);
    expect(commit).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(commit).toHaveBeenCalledTimes(1);
  });

  it('commits immediately on a flush, and waits for a commit in progress', async () => {
    const commits = new OffsetCommits(logger);
    const order: string[] = [];
    let finish = (): void => undefined;
    commits.due(() => new Promise((resolve) => (finish = () => (order.push('first'), resolve()))));
    const first = commits.flush();
    commits.due(() => Promise.resolve(void order.push('second')));
    const second = commits.flush();
    await Promise.resolve();
    finish();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  it('continues after a failed commit', async () => {
    const commits = new OffsetCommits(logger);
    commits.due(() => Promise.reject(new Error('the group is rebalancing')));
    await commits.flush();
    expect(logger.warn).toHaveBeenCalledTimes(1);
    const commit = jest.fn().mockResolvedValue(undefined);
    commits.due(commit);
    await commits.flush();
    expect(commit).toHaveBeenCalledTimes(1);
  });
});
