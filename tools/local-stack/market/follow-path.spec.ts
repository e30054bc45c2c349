import { type Clock, followPath } from './follow-path';

/** Time that passes only while it is waited for, and during moves. */
class TestClock implements Clock {
  at = 0;
  now = (): number => this.at;
  wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (!signal.aborted) this.at += ms;
  };
}

type Made = [atMs: number, from: number, to: number];

async function follow(
  seconds: number[],
  speed: number,
  { moveMs = 0, stopAfter = Infinity } = {},
): Promise<{ moves: Made[]; isWhole: boolean }> {
  const clock = new TestClock();
  const stop = new AbortController();
  const moves: Made[] = [];
  const isWhole = await followPath(
    seconds.map((each) => ({ seconds: each, usd: {} })),
    speed,
    async (from, to) => {
      moves.push([Math.round(clock.at), from, to]);
      clock.at += moveMs;
      if (moves.length === stopAfter) stop.abort();
    },
    stop.signal,
    clock,
  );
  return { moves, isWhole };
}

describe('a replay', () => {
  it('moves prices at their times, from the first line on, at its speed', async () => {
    expect(await follow([10, 12, 20], 2)).toEqual({
      moves: [
        [0, 0, 1],
        [1_000, 1, 2],
        [5_000, 2, 3],
      ],
      isWhole: true,
    });
  });

  it('makes one move of points that are due together', async () => {
    expect((await follow([0, 1, 2, 30], 100)).moves).toEqual([
      [0, 0, 1],
      [200, 1, 3],
      [400, 3, 4],
    ]);
  });

  it('makes up for moves that take long', async () => {
    expect((await follow([0, 1, 2, 3], 1, { moveMs: 2_500 })).moves).toEqual([
      [0, 0, 1],
      [2_500, 1, 3],
      [5_000, 3, 4],
    ]);
  });

  it('ends before its end when it is stopped', async () => {
    const { moves, isWhole } = await follow([0, 1, 2], 1, { stopAfter: 2 });
    expect([moves.length, isWhole]).toEqual([2, false]);
  });
});
