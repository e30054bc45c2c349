import { EVIDENCE_WEIGHT, type Evidence } from './evidence';

/** One action of a wallet in a block. */
export interface BlockMove {
  wallet: string;
  /** The block, action and market, as one text that is the same for equal moves. */
  meeting: string;
  block: number;
}

const LEAST_MEETINGS = 3;
const STEP = 0.1;
const MOST = 0.6;
/**
 * This many wallets with the same move in one block are an airdrop, a liquidation cascade or a bot, and no
 * evidence for pairs.
 */
const MOST_IN_BLOCK = 12;

/** Wallets that made the same move in the same block at least three times. */
export function sameBlockEvidence(moves: readonly BlockMove[]): Evidence[] {
  const meetings = new Map<string, { wallets: Set<string>; block: number }>();
  for (const { wallet, meeting, block } of moves) {
    const known = meetings.get(meeting);
    if (known) known.wallets.add(wallet);
    else meetings.set(meeting, { wallets: new Set([wallet]), block });
  }
  const pairs = new Map<string, { a: string; b: string; block: number; count: number }>();
  for (const { wallets, block } of meetings.values()) {
    if (wallets.size < 2 || wallets.size > MOST_IN_BLOCK) continue;
    const sorted = [...wallets].sort();
    sorted.forEach((a, at) => {
      for (const b of sorted.slice(at + 1)) {
        const pair = pairs.get(`${a}|${b}`) ?? { a, b, block, count: 0 };
        pair.count += 1;
        pair.block = Math.min(pair.block, block);
        pairs.set(`${a}|${b}`, pair);
      }
    });
  }
  return [...pairs.values()]
    .filter(({ count }) => count >= LEAST_MEETINGS)
    .map(({ a, b, block, count }) => ({
      a,
      b,
      kind: 'same_block',
      weight: Math.min(MOST, EVIDENCE_WEIGHT.same_block + STEP * (count - LEAST_MEETINGS)),
      block,
    }));
}
