import { backoffMs, pause, within } from './backoff';

describe('backoffMs', () => {
  it('doubles up to the cap', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempt) => backoffMs(attempt, 100, 1_000, () => 1));
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('is never below half of the full delay, for any random number', () => {
    expect(backoffMs(3, 100, 1_000, () => 0)).toBe(200);
  });

  it('stays at the cap after any number of attempts', () => {
    expect(backoffMs(1e9, 100, 5_000, () => 1)).toBe(5_000);
  });
});

describe('pause', () => {
  it('ends immediately when it is aborted', async () => {
    const stop = new AbortController();
    const waiting = pause(60_000, stop.signal);
    stop.abort();
    await expect(waiting).resolves.toBeUndefined();
  });
});

describe('within', () => {
  const late = () => new Error('late');

  it('returns the result of the work', async () => {
    await expect(within(1_000, Promise.resolve(7), late)).resolves.toBe(7);
  });

  it('rejects when the work does not settle', async () => {
    await expect(within(1, new Promise(() => undefined), late)).rejects.toThrow('late');
  });
});
