import { sharedDelegateEvidence } from './delegate-evidence';
import { sameBlockEvidence } from './same-block-evidence';
import { transferEvidence } from './transfer-evidence';

const FLOOR = { floorUsd: 1_000, noWallets: new Set(['mint']) };

describe('transferEvidence', () => {
  it('only the first to fund a wallet is its funder, except a wallet that it paid before', () => {
    const transfers = [
      { from: 'f', to: 'a', usd: 1_000, block: 1 },
      { from: 'g', to: 'a', usd: 1_000, block: 1 },
      { from: 'a', to: 'h', usd: 1_000, block: 1 },
      { from: 's', to: 't', usd: 1_000, block: 1 },
      { from: 't', to: 's', usd: 1_000, block: 1 },
    ];
    const funded = transferEvidence(transfers, FLOOR).filter(({ kind }) => kind === 'first_funder');
    expect(funded.map(({ a, b }) => [a, b])).toEqual([
      ['f', 'a'],
      ['a', 'h'],
      ['s', 't'],
    ]);
  });

  it('dust from another wallet is not funding', () => {
    expect(transferEvidence([{ from: 'f', to: 'a', usd: 999, block: 1 }], FLOOR)).toEqual([]);
  });

  it('a wallet whose first tokens were minted has no funder', () => {
    const transfers = [
      { from: 'mint', to: 'a', usd: 1_000, block: 1 },
      { from: 'f', to: 'a', usd: 1_000, block: 2 },
    ];
    expect(transferEvidence(transfers, FLOOR)).toEqual([]);
  });

  it('transfers in both directions count from the floor on', () => {
    const both = (usd: number) => [
      { from: 'a', to: 'b', usd, block: 1 },
      { from: 'b', to: 'a', usd, block: 1 },
    ];
    const kinds = (usd: number): string[] => transferEvidence(both(usd), FLOOR).map(({ kind }) => kind);
    expect(kinds(1_000)).toContain('mutual_transfers');
    expect(kinds(999)).not.toContain('mutual_transfers');
  });
});

describe('sameBlockEvidence', () => {
  const meet = (times: number, wallets: string[]) =>
    Array.from({ length: times }, (_, block) =>
      wallets.map((wallet) => ({ wallet, meeting: `${block}|borrow`, block })),
    ).flat();

  it.each([
    [2, undefined],
    [3, 0.3],
    [4, 0.4],
    [20, 0.6],
  ])('%i meetings weigh %s', (times, weight) => {
    const [evidence] = sameBlockEvidence(meet(times, ['a', 'b']));
    if (weight === undefined) expect(evidence).toBeUndefined();
    else expect(evidence?.weight).toBeCloseTo(weight);
  });

  it('many wallets in one block are no evidence for pairs', () => {
    expect(
      sameBlockEvidence(
        meet(
          5,
          Array.from({ length: 13 }, (_, at) => `w${at}`),
        ),
      ),
    ).toEqual([]);
  });
});

describe('sharedDelegateEvidence', () => {
  const serving = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ wallet: `w${at}`, delegate: 'd', block: 1 }));

  it('joins the wallets of a delegate and the delegate, if they are few', () => {
    expect(sharedDelegateEvidence(serving(2)).map(({ a, b }) => [a, b])).toEqual([
      ['d', 'w0'],
      ['d', 'w1'],
      ['w0', 'w1'],
    ]);
    expect(sharedDelegateEvidence(serving(21))).toEqual([]);
  });
});
