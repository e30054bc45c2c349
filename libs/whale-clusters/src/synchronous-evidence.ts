import { EVIDENCE_WEIGHT, type Evidence } from './evidence';

/** One action of a wallet, with its time. */
export interface TimedMove {
  wallet: string;
  /** The action and market, as one text that is the same for equal moves. */
  act: string;
  block: number;
  /** Time of the block, seconds. */
  atSeconds: number;
}

/** Moves within this time may have one owner: two blocks of Ethereum. */
export const WINDOW_SECONDS = 24;
const LEAST_MEETINGS = 3;
const STEP = 0.1;
const MOST = 0.6;
/** This many wallets with the same move at once follow news or a price, and are no evidence for pairs. */
const MOST_AT_ONCE = 12;
/** Artificial moves, spread evenly: if few wallets act, their times say little about the times of others. */
const QUIET_MOVES = 10;
/** Probability of a single false pair among all pairs. */
const SIGNIFICANCE = 0.01;

interface Pair {
  a: string;
  b: string;
  block: number;
  count: number;
  /** Expected meetings by chance. */
  expected: number;
  /** The last meeting in the current act: a move counts once for a pair. */
  lastA: number;
  lastB: number;
}

/**
 * Wallets that acted in the same way shortly after each other, in other blocks, more often than by chance.
 * The chance model distributes each wallet's moves like those of all other wallets, so a rush of all wallets
 * is no evidence. Meetings within one block belong to sameBlockEvidence.
 */
export function synchronousEvidence(moves: readonly TimedMove[]): Evidence[] {
  const acts = new Map<string, TimedMove[]>();
  for (const move of moves) {
    const known = acts.get(move.act);
    if (known) known.push(move);
    else acts.set(move.act, [move]);
  }
  const pairs = new Map<string, Pair>();
  for (const alike of acts.values()) {
    alike.sort((one, other) => one.atSeconds - other.atSeconds);
    addMeetings(pairs, alike);
  }
  for (const alike of acts.values()) addExpected(pairs, alike);
  const tests = Math.max(1, pairs.size);
  return [...pairs.values()]
    .filter(
      ({ count, expected }) => count >= LEAST_MEETINGS && tailOf(count, expected) * tests <= SIGNIFICANCE,
    )
    .map(({ a, b, block, count }) => ({
      a,
      b,
      kind: 'synchronous',
      weight: Math.min(MOST, EVIDENCE_WEIGHT.synchronous + STEP * (count - LEAST_MEETINGS)),
      block,
    }));
}

/** @param moves the moves of one act, oldest first */
function addMeetings(pairs: Map<string, Pair>, moves: readonly TimedMove[]): void {
  for (const pair of pairs.values()) pair.lastA = pair.lastB = -1;
  let first = 0;
  moves.forEach((move, at) => {
    while (move.atSeconds - moves[first]!.atSeconds > WINDOW_SECONDS) first += 1;
    const near = moves.slice(first, at);
    if (new Set(near.map(({ wallet }) => wallet)).size >= MOST_AT_ONCE) return;
    near.forEach((other, place) => {
      if (other.wallet === move.wallet || other.block === move.block) return;
      const isFirst = other.wallet < move.wallet;
      const [a, b] = isFirst ? [other.wallet, move.wallet] : [move.wallet, other.wallet];
      const [atA, atB] = isFirst ? [first + place, at] : [at, first + place];
      const key = `${a}|${b}`;
      const pair = pairs.get(key) ?? { a, b, block: move.block, count: 0, expected: 0, lastA: -1, lastB: -1 };
      pairs.set(key, pair);
      if (atA <= pair.lastA || atB <= pair.lastB) return;
      pair.count += 1;
      pair.block = Math.min(pair.block, other.block);
      pair.lastA = atA;
      pair.lastB = atB;
    });
  });
}

/**
 * Adds the expected meetings of each pair by chance: for each move of one, the number of the other's moves
 * near it when they are distributed like the moves of all others, or uniformly where few others act.
 */
function addExpected(pairs: ReadonlyMap<string, Pair>, alike: readonly TimedMove[]): void {
  const own = new Map<string, number[]>();
  for (const { wallet, atSeconds } of alike) own.set(wallet, [...(own.get(wallet) ?? []), atSeconds]);
  const times = alike.map(({ atSeconds }) => atSeconds);
  const width = 2 * WINDOW_SECONDS;
  const windows = Math.max(1, (times.at(-1)! - times[0]!) / width);
  for (const pair of pairs.values()) {
    const [ofA, ofB] = [own.get(pair.a), own.get(pair.b)];
    if (!ofA || !ofB) continue;
    const others = times.length - ofA.length - ofB.length;
    for (const at of ofA) {
      const near = countNear(times, at) - countNear(ofA, at) - countNear(ofB, at);
      // One further wallet is not a rush, because it may have the same owner.
      const share = (Math.max(0, near - 1) + QUIET_MOVES / windows) / (others + QUIET_MOVES);
      pair.expected += Math.min(1, ofB.length * Math.min(1, share));
    }
  }
}

/** Times within the window around a moment. @param times ascending */
function countNear(times: readonly number[], moment: number): number {
  return lowerBound(times, moment + WINDOW_SECONDS + 1) - lowerBound(times, moment - WINDOW_SECONDS);
}

function lowerBound(times: readonly number[], wanted: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Probability of so many events or more with this `mean` (Poisson). */
function tailOf(count: number, mean: number): number {
  let term = Math.exp(-mean);
  let below = 0;
  for (let number = 0; number < count; number += 1) {
    below += term;
    term *= mean / (number + 1);
  }
  // Far in the tail the difference to 1 is lost by rounding, so the terms themselves are summed there.
  if (below < 1 - 1e-9) return 1 - below;
  let tail = 0;
  for (let number = count; term > tail * 1e-12 && number < count + 1_000; number += 1) {
    tail += term;
    term *= mean / (number + 1);
  }
  return tail;
}
