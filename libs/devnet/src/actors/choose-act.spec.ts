import fc from 'fast-check';
import { seededRandom } from '../market/random';
import { ACT_USD, type ChosenAct, type HeldAsset, chooseAct, followAct } from './choose-act';

const POOL = 600_000_000;
const START: readonly HeldAsset[] = [
  { symbol: 'WETH', walletUsd: 3_000_000, suppliedUsd: 0, debtUsd: 0, poolUsd: POOL },
  { symbol: 'USDC', walletUsd: 2_000_000, suppliedUsd: 0, debtUsd: 0, poolUsd: POOL },
];

/** The holdings after the act, without any loss. */
function after(assets: readonly HeldAsset[], { kind, symbol, usd }: ChosenAct): HeldAsset[] {
  const change: Record<ChosenAct['kind'], [wallet: number, supplied: number, debt: number]> = {
    supply: [-usd, usd, 0],
    withdraw: [usd, -usd, 0],
    borrow: [usd, 0, usd],
    repay: [-usd, 0, -usd],
    transfer: [0, -usd, 0],
  };
  const [wallet, supplied, debt] = change[kind];
  return assets.map((each) =>
    each.symbol === symbol
      ? {
          symbol,
          walletUsd: each.walletUsd + wallet,
          suppliedUsd: each.suppliedUsd + supplied,
          debtUsd: each.debtUsd + debt,
          poolUsd: each.poolUsd,
        }
      : each,
  );
}

describe('chooseAct', () => {
  it('returns the same acts for the same seed', () => {
    const acts = (seed: number): (ChosenAct | null)[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => chooseAct(START, true, random));
    };
    expect(acts(3)).toEqual(acts(3));
    expect(acts(3)).not.toEqual(acts(4));
  });

  it('continues for thousands of acts, with every kind, and never exceeds its balance or debt limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        const random = seededRandom(seed);
        const kinds = new Set<string>();
        let assets: readonly HeldAsset[] = START;
        for (let count = 0; count < 2_000; count += 1) {
          const act = chooseAct(assets, false, random);
          if (!act) return false;
          kinds.add(act.kind);
          assets = after(assets, act);
          const [supplied, debt] = [sum(assets, 'suppliedUsd'), sum(assets, 'debtUsd')];
          if (act.usd < ACT_USD.least || act.usd > ACT_USD.most) return false;
          if (
            assets.some(
              ({ walletUsd, suppliedUsd, debtUsd }) => Math.min(walletUsd, suppliedUsd, debtUsd) < -1e-6,
            )
          )
            return false;
          if (debt > supplied * 0.4 + 1e-6) return false;
        }
        return kinds.size === 4;
      }),
      { numRuns: 40 },
    );
  });

  it('repays first when prices fell', () => {
    const fallen = [
      { symbol: 'WETH', walletUsd: 0, suppliedUsd: 1_000_000, debtUsd: 0, poolUsd: POOL },
      { symbol: 'USDC', walletUsd: 900_000, suppliedUsd: 0, debtUsd: 700_000, poolUsd: POOL },
    ];
    for (let seed = 0; seed < 50; seed += 1)
      expect(chooseAct(fallen, true, seededRandom(seed))).toMatchObject({ kind: 'repay', symbol: 'USDC' });
  });

  it('withdraws no more than the pool has', () => {
    const dry = START.map((each) => ({ ...each, suppliedUsd: 2_000_000, poolUsd: 0 }));
    for (let seed = 0; seed < 50; seed += 1)
      expect(['supply', 'transfer']).toContain(chooseAct(dry, true, seededRandom(seed))?.kind);
  });

  it('does nothing when no act of the least size is possible', () => {
    expect(chooseAct([{ ...START[0]!, walletUsd: 10 }], true, seededRandom(1))).toBeNull();
  });
});

describe('followAct', () => {
  it('performs the same act as far as the wallet can', () => {
    const act = { kind: 'supply', symbol: 'USDC', usd: 800_000 } as const;
    expect(followAct(START, act)).toEqual(act);
    expect(followAct([{ ...START[1]!, walletUsd: 500_000 }], act)).toEqual({ ...act, usd: 500_000 });
    expect(followAct([{ ...START[1]!, walletUsd: 1 }], act)).toBeNull();
  });
});

function sum(assets: readonly HeldAsset[], key: 'suppliedUsd' | 'debtUsd'): number {
  return assets.reduce((total, each) => total + each[key], 0);
}
