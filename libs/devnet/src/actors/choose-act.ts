import type { Random } from '../market/random';

/** The actions of an actor on its position. */
export const ACT_KINDS = ['supply', 'borrow', 'withdraw', 'repay', 'transfer'] as const;
export type ActKind = (typeof ACT_KINDS)[number];

/** An actor's holdings in one asset, in US dollars. */
export interface HeldAsset {
  symbol: string;
  walletUsd: number;
  suppliedUsd: number;
  debtUsd: number;
  /** The pool's available liquidity. */
  poolUsd: number;
}

/** An act in US dollars. The amount of tokens follows from the price. */
export interface ChosenAct {
  kind: ActKind;
  symbol: string;
  usd: number;
}

/** The smallest and the largest act. The smallest is above the demo's whale threshold. */
export const ACT_USD = { least: 300_000, most: 900_000 } as const;
/**
 * An actor's target debt, as a share of its supply: a fall of prices by half does not make it liquidatable.
 */
export const TARGET_DEBT_SHARE = 0.35;
const MOST_DEBT_SHARE = 0.4;
/** A debt above this share makes the next act a repayment. */
const HIGH_DEBT_SHARE = 0.5;
const TRANSFER_WEIGHT = 0.08;
const BORROWED = 'USDC';

interface Candidate extends Omit<ChosenAct, 'usd'> {
  /** The possible share of an act. */
  mostUsd: number;
  weight: number;
}

/**
 * The next act of an actor. Null: no act of the least size is possible. The more it has supplied, the more
 * likely it withdraws, and the more it owes, the more likely it repays, so an actor continues for days and
 * stays near its initial state. Pure. @param hasFamily whether another wallet can receive its position
 */
export function chooseAct(
  assets: readonly HeldAsset[],
  hasFamily: boolean,
  random: Random,
): ChosenAct | null {
  const candidates = candidatesOf(assets, hasFamily).filter(
    ({ mostUsd, weight }) => mostUsd >= ACT_USD.least && weight > 0,
  );
  const size = ACT_USD.least + random() * (ACT_USD.most - ACT_USD.least);
  let left = random() * candidates.reduce((sum, { weight }) => sum + weight, 0);
  for (const { kind, symbol, mostUsd, weight } of candidates) {
    left -= weight;
    if (left < 0) return { kind, symbol, usd: Math.min(size, mostUsd) };
  }
  return null;
}

/** The act of another wallet, repeated by this wallet as far as it can. Null: it cannot. Pure. */
export function followAct(assets: readonly HeldAsset[], { kind, symbol, usd }: ChosenAct): ChosenAct | null {
  const own = candidatesOf(assets, false).find((each) => each.kind === kind && each.symbol === symbol);
  return own && own.mostUsd >= ACT_USD.least ? { kind, symbol, usd: Math.min(usd, own.mostUsd) } : null;
}

function candidatesOf(assets: readonly HeldAsset[], hasFamily: boolean): Candidate[] {
  const supplied = assets.reduce((sum, { suppliedUsd }) => sum + suppliedUsd, 0);
  const debt = assets.reduce((sum, { debtUsd }) => sum + debtUsd, 0);
  const netWorthUsd = assets.reduce((sum, each) => sum + each.walletUsd + each.suppliedUsd - each.debtUsd, 0);
  if (netWorthUsd <= 0) return [];
  const repays = assets.map(({ symbol, walletUsd, debtUsd }): Candidate => ({
    kind: 'repay',
    symbol,
    mostUsd: Math.min(walletUsd, debtUsd),
    weight: debtUsd / netWorthUsd,
  }));
  if (debt > supplied * HIGH_DEBT_SHARE && repays.some(({ mostUsd }) => mostUsd >= ACT_USD.least))
    return repays;
  /** The largest withdrawal after which the debt is not too large for the remaining supply. */
  const free = debt > 0 ? supplied - debt / MOST_DEBT_SHARE : supplied;
  const moves = assets.flatMap(({ symbol, walletUsd, suppliedUsd, poolUsd }): Candidate[] => [
    { kind: 'supply', symbol, mostUsd: walletUsd, weight: walletUsd / netWorthUsd },
    {
      kind: 'withdraw',
      symbol,
      mostUsd: Math.min(suppliedUsd, free, poolUsd),
      weight: suppliedUsd / netWorthUsd,
    },
    {
      kind: 'transfer',
      symbol,
      mostUsd: Math.min(suppliedUsd, free),
      weight: hasFamily ? TRANSFER_WEIGHT : 0,
    },
  ]);
  const borrowable = supplied * TARGET_DEBT_SHARE - debt;
  const lendable = assets.find(({ symbol }) => symbol === BORROWED)?.poolUsd ?? 0;
  return [
    ...moves,
    ...repays,
    {
      kind: 'borrow',
      symbol: BORROWED,
      mostUsd: Math.min(borrowable, lendable),
      weight: (2 * borrowable) / netWorthUsd,
    },
  ];
}
