import { PollOnDemand } from './poll-on-demand';

const INTERVAL_MS = 3_000;
const STOP_AFTER = 20;

describe('PollOnDemand', () => {
  let polls: number;
  let polled: PollOnDemand<number>;

  beforeEach(() => {
    jest.useFakeTimers();
    polls = 0;
    polled = new PollOnDemand(() => Promise.resolve((polls += 1)), INTERVAL_MS, STOP_AFTER);
  });

  afterEach(() => {
    polled.close();
    jest.useRealTimers();
  });

  it('does nothing before the first caller', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect(polls).toBe(0);
    await expect(polled.result()).resolves.toBe(1);
  });

  it('returns a result that is at most one interval old', async () => {
    await polled.result();
    await expect(polled.result()).resolves.toBe(1);
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    await expect(polled.result()).resolves.toBe(2);
  });

  it('stops after some polls whose result no caller read, and then polls before it responds', async () => {
    await polled.result();
    await jest.advanceTimersByTimeAsync(STOP_AFTER * INTERVAL_MS);
    expect(polls).toBe(1 + STOP_AFTER);
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(polls).toBe(1 + STOP_AFTER);
    await expect(polled.result()).resolves.toBe(2 + STOP_AFTER);
  });

  it('continues for as long as callers read the result', async () => {
    for (let read = 0; read < 3 * STOP_AFTER; read += 1) {
      await polled.result();
      await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    }
    expect(polls).toBe(1 + 3 * STOP_AFTER);
  });

  it('starts no poll beside one that is slow, and returns the earlier result meanwhile', async () => {
    let finish = (): void => undefined;
    let started = 0;
    const slow = new PollOnDemand(
      () =>
        (started += 1) === 1
          ? Promise.resolve(1)
          : new Promise<number>((resolve) => (finish = () => resolve(2))),
      INTERVAL_MS,
      STOP_AFTER,
    );
    await slow.result();
    await jest.advanceTimersByTimeAsync(3 * INTERVAL_MS);
    expect(started).toBe(2);
    await expect(slow.result()).resolves.toBe(1);
    finish();
    await jest.advanceTimersByTimeAsync(0);
    await expect(slow.result()).resolves.toBe(2);
    slow.close();
  });
});
