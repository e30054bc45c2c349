import type { Address } from 'viem';
import { describeFamily, type StandIn } from '../../test/describe-family';
import { legsUsd } from '../../test/expect-totals';
import { amountsFrom, standIns, type LocalChain } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { compoundV2, venusCore, venusIsolated } from './reader';

const WAD = 10n ** 18n;

/** Decimals, price in dollars with 8 decimals, threshold in wad, yearly borrow rate in percent. */
const ASSETS = [
  { symbol: 'WETH', decimals: 18, price: 2_513_771_234_56n, threshold: 825_000_000_000_000_000n, rate: 3n },
  { symbol: 'WBTC', decimals: 8, price: 91_234_567_890_12n, threshold: 700_000_000_000_000_000n, rate: 1n },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, threshold: 855_000_000_000_000_000n, rate: 7n },
  { symbol: 'DAI', decimals: 18, price: 100_013_579n, threshold: 830_123_456_789_012_345n, rate: 5n },
] as const;

const local = useLocalChain();

/**
 * The holdings and debts of every wallet in each asset. Some wallets only supply, and some owe up to more
 * than their limit.
 */
function randomBook(seed: number, wallets: readonly Address[]) {
  const { amount, below, chance, random } = amountsFrom(seed);
  return wallets.map((_, index) => {
    const supplied: bigint[] = ASSETS.map(({ decimals }) => (chance(0.55) ? amount(decimals) : 0n));
    const own = index % ASSETS.length;
    if (!supplied.some((quantity) => quantity > 0n)) supplied[own] = amount(ASSETS[own]!.decimals);
    const usd = supplied.reduce(
      (sum, quantity, id) => sum + (quantity * ASSETS[id]!.price) / 10n ** BigInt(ASSETS[id]!.decimals),
      0n,
    );
    const owing = chance(0.2) ? -1 : Math.floor(random() * ASSETS.length);
    const debtUsd = below(usd);
    const owed = ASSETS.map(({ decimals, price }, id) =>
      id === owing ? 1n + (debtUsd * 10n ** BigInt(decimals)) / price : 0n,
    );
    return { supplied, owed, enters: ASSETS.map((__, id) => owed[id]! > 0n || chance(0.8)) };
  });
}

async function buildCompound(
  chain: LocalChain,
  name: string,
  wallets: readonly Address[],
  seed: number,
): Promise<StandIn> {
  const contracts = standIns();
  const oracle = await chain.deploy(contracts['CompoundOracle']!);
  const comptroller = await chain.deploy(contracts[name]!, [oracle]);
  const book = randomBook(seed, wallets);
  for (const [id, { symbol, decimals, price, threshold, rate }] of ASSETS.entries()) {
    const underlying = await chain.deploy(contracts['Token']!, [symbol, decimals]);
    const perSecond = (rate * WAD) / 100n / 31_536_000n;
    const cash = 10n ** BigInt(decimals + 10);
    const token = await chain.deploy(contracts['CompoundToken']!, [
      underlying,
      perSecond,
      cash,
      (cash * 48n) / 7n,
    ]);
    // 48/7 tokens for a unit of the underlying: balances are in tokens.
    const tokens = book.map(({ supplied }) => (supplied[id]! * 48n) / 7n);
    const owed = book.map((holding) => holding.owed[id]!);
    const entering = wallets.filter((_, index) => book[index]!.enters[id]);
    await chain.send([
      {
        to: oracle,
        abi: contracts['CompoundOracle']!.abi,
        name: 'setPrice',
        args: [token, price * 10n ** BigInt(28 - decimals)],
      },
      { to: comptroller, abi: contracts[name]!.abi, name: 'list', args: [token, threshold] },
      ...inParts(
        { to: token, abi: contracts['CompoundToken']!.abi, name: 'set' },
        [],
        [wallets, tokens, owed],
      ),
      ...inParts({ to: comptroller, abi: contracts[name]!.abi, name: 'enter' }, [token], [entering]),
    ]);
  }
  return {
    contracts: { comptroller },
    figures: { to: comptroller, abi: contracts[name]!.abi },
    heart: comptroller,
  };
}

const compound = describeFamily('compound-v2', compoundV2, local, (chain, wallets) =>
  buildCompound(chain, 'CompoundComptroller', wallets, 2),
);

describeFamily('venus-isolated', venusIsolated, local, (chain, wallets) =>
  buildCompound(chain, 'VenusIsolatedComptroller', wallets, 4),
);

describeFamily('venus-core', venusCore, local, async (chain, wallets) => {
  const standIn = await buildCompound(chain, 'VenusCoreComptroller', wallets, 3);
  const { chance, below } = amountsFrom(33);
  const inGroup = wallets.map(() => chance(0.3));
  const vai = wallets.map(() => (chance(0.3) ? below(10n ** 21n) : 0n));
  await chain.send(inParts({ ...standIn.figures, name: 'setWallets' }, [], [wallets, inGroup, vai]));
  return standIn;
});

describe('compound-v2 totals', () => {
  it('have the debts of all positions, and their supplies plus the initial balance', async () => {
    const block = await local().head();
    const { positions } = await compound.reader().readPositions(compound.wallets, block);
    const totals = await compound.reader().readTotals(block);
    expect(totals!.borrowedUsd / legsUsd(positions, 'debt')).toBeCloseTo(1, 6);
    expect(totals!.suppliedUsd).toBeGreaterThan(legsUsd(positions, 'collateral'));
  });
});

describe('compound-v2 markets that fail', () => {
  it('a market without a price: its users are unreadable, by name, and no others', async () => {
    const reader = compound.reader();
    const before = await reader.readPositions(compound.wallets, await local().head());
    const holds = (wallet: Address): boolean =>
      before.positions.some(
        (position) =>
          position.wallet === wallet &&
          position.legs.some(
            ({ symbol, usedAsCollateral, side }) =>
              symbol === 'WBTC' && (usedAsCollateral || side === 'debt'),
          ),
      );
    const oracle = before.positions[0]!.legs[0]!.oracle;
    const snapshot = await local().rpc.request('evm_snapshot', []);
    const state = await reader.readMarket(await local().head());
    const wbtc = state.layout.assets.find(({ underlying }) => underlying.symbol === 'WBTC')!.market;
    await local().send([
      { to: oracle, abi: standIns()['CompoundOracle']!.abi, name: 'setPrice', args: [wbtc, 0n] },
    ]);
    const { unreadable } = await reader.readPositions(compound.wallets, await local().head());
    expect(new Set(unreadable.flatMap(({ wallets }) => wallets))).toEqual(
      new Set(compound.wallets.filter(holds)),
    );
    await local().rpc.request('evm_revert', [snapshot]);
  });
});
