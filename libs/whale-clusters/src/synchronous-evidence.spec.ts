import { type TimedMove, WINDOW_SECONDS, synchronousEvidence } from './synchronous-evidence';

const DAY = 86_400;

/** A small seeded generator (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const move = (wallet: string, atSeconds: number, act = 'supply'): TimedMove => ({
  wallet,
  act,
  atSeconds: Math.floor(atSeconds),
  block: Math.floor(atSeconds / 12),
});

/** Wallets that act at random times, each with this number of acts. */
function strangers(count: number, moves: number, random: () => number): TimedMove[] {
  return Array.from({ length: count * moves }, (_, at) => move(`s${at % count}`, random() * DAY));
}

const pairsOf = (moves: readonly TimedMove[]): string[] =>
  synchronousEvidence(moves)
    .map(({ a, b }) => `${a} ${b}`)
    .sort();

describe('synchronousEvidence', () => {
  it('finds only the wallets of one owner among others, for 20 seeds', () => {
    let [found, wrong] = [0, 0];
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = randomOf(seed);
      const moves = strangers(60, 12, random);
      for (let at = 0; at < 8; at += 1) {
        const begun = random() * DAY;
        moves.push(move('f1', begun), move('f2', begun + 13 + random() * 8));
      }
      for (const pair of pairsOf(moves)) {
        if (pair === 'f1 f2') found += 1;
        else wrong += 1;
      }
    }
    expect(found).toBeGreaterThanOrEqual(19);
    expect(wrong).toBeLessThanOrEqual(1);
  });

  it('treats a rush of all wallets as no evidence', () => {
    const random = randomOf(7);
    const moves = strangers(40, 4, random);
    for (let rush = 0; rush < 6; rush += 1) {
      const begun = random() * DAY;
      // Ten of them withdraw within a minute, the same ones in each rush.
      for (let wallet = 0; wallet < 10; wallet += 1)
        moves.push(move(`s${wallet}`, begun + random() * 60, 'withdraw'));
    }
    expect(pairsOf(moves)).toEqual([]);
  });

  it('requires the same act, another block and three meetings within the window', () => {
    const meetings = (count: number, apart: number, act = 'supply'): TimedMove[] =>
      Array.from({ length: count }, (_, at) => [
        move('a', at * 7_200),
        move('b', at * 7_200 + apart, act),
      ]).flat();
    expect(pairsOf(meetings(4, 13))).toEqual(['a b']);
    expect(pairsOf(meetings(2, 13))).toEqual([]);
    expect(pairsOf(meetings(4, 5))).toEqual([]);
    expect(pairsOf(meetings(4, WINDOW_SECONDS + 13))).toEqual([]);
    expect(pairsOf(meetings(4, 13, 'borrow'))).toEqual([]);
  });

  it('its weight grows with each meeting, up to a bound', () => {
    const weightOf = (count: number): number | undefined =>
      synchronousEvidence(
        Array.from({ length: count }, (_, at) => [move('a', at * 7_200), move('b', at * 7_200 + 13)]).flat(),
      )[0]?.weight;
    expect([3, 4, 6, 9].map(weightOf)).toEqual([0.3, 0.4, 0.6, 0.6]);
  });
});
