import { type SeedPlan, seededRandom } from '@plimsoll/devnet';

const COLLATERALS = ['WETH', 'WBTC', 'LINK', 'USDC', 'DAI'] as const;
const DEBTS = ['USDC', 'DAI', 'USDT', 'WETH', 'LINK'] as const;

/**
 * Borrowers with one or two collaterals and debts of random shares, from 100 dollars to 10 million, the same
 * in every run.
 */
export function randomPlans(count: number, seed: number): SeedPlan[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: count }, (_, index): SeedPlan => {
    const first = pick(COLLATERALS);
    const second = pick(COLLATERALS.filter((symbol) => symbol !== first));
    const held = random() < 0.5 ? [first] : [first, second];
    const debts = DEBTS.filter((symbol) => !held.includes(symbol as never));
    const owed = pick(debts);
    const other = pick(debts.filter((symbol) => symbol !== owed));
    const share = 0.3 + 0.6 * random();
    const split = <S extends string>(symbols: readonly S[]): { symbol: S; share: number }[] =>
      symbols.length === 1
        ? [{ symbol: symbols[0]!, share: 1 }]
        : symbols.map((symbol, at) => ({ symbol, share: at === 0 ? share : 1 - share }));
    return {
      label: `random ${index}`,
      suppliedUsd: 100 * 10 ** (5 * random()),
      supplies: split(held).map((each) => ({ ...each, asCollateral: true })),
      borrows: split(random() < 0.6 ? [owed] : [owed, other]).map((each) => ({ ...each, rate: 'variable' })),
      // They borrow while volatile assets are 30 % higher, so that a position that is short of one cannot
      // come near 1.
      healthFactor: isLong(held, [owed, other]) ? 1.02 + 0.6 * random() : 1.7 + 0.3 * random(),
      eMode: false,
    };
  });
}

const VOLATILE = new Set(['WETH', 'WBTC', 'LINK']);

function isLong(held: readonly string[], owed: readonly string[]): boolean {
  return held.every((symbol) => VOLATILE.has(symbol)) && !owed.some((symbol) => VOLATILE.has(symbol));
}
