import { type Address, zeroAddress } from 'viem';
import { bonusesOf } from '../../test/bonuses-of';
import { describeFamily } from '../../test/describe-family';
import { legsUsd } from '../../test/expect-totals';
import { standIns, testWallets } from '../../test/local-chain';
import { ASSETS, randomBook } from '../../test/random-book';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { FamilyReader } from '../reader/family-reader';
import { compoundV2 } from './reader';

const WAD = 10n ** 18n;

const local = useLocalChain();

const compound = describeFamily('compound-v2', compoundV2, local, async (chain, wallets) => {
  const { CompoundOracle, CompoundComptroller, CompoundToken, Token } = standIns();
  const oracle = await chain.deploy(CompoundOracle!);
  const comptroller = await chain.deploy(CompoundComptroller!, [oracle]);
  const book = randomBook(2, wallets);
  for (const [id, { symbol, decimals, price, threshold, rate }] of ASSETS.entries()) {
    const underlying = await chain.deploy(Token!, [symbol, decimals]);
    const perSecond = (rate * WAD) / 100n / 31_536_000n;
    const cash = 10n ** BigInt(decimals + 10);
    const token = await chain.deploy(CompoundToken!, [underlying, perSecond, cash, (cash * 48n) / 7n]);
    // 48/7 tokens for a unit of the underlying: balances are in tokens.
    const tokens = book.map(({ supplied }) => (supplied[id]! * 48n) / 7n);
    const owed = book.map((holding) => holding.owed[id]!);
    const entering = wallets.filter((_, index) => book[index]!.enters[id]);
    const ofComptroller = { to: comptroller, abi: CompoundComptroller!.abi };
    await chain.send([
      {
        to: oracle,
        abi: CompoundOracle!.abi,
        name: 'setPrice',
        args: [token, price * 10n ** BigInt(28 - decimals)],
      },
      { ...ofComptroller, name: 'list', args: [token, threshold] },
      ...inParts({ to: token, abi: CompoundToken!.abi, name: 'set' }, [], [wallets, tokens, owed]),
      ...inParts({ ...ofComptroller, name: 'enter' }, [token], [entering]),
    ]);
  }
  return {
    contracts: { comptroller },
    figures: { to: comptroller, abi: CompoundComptroller!.abi },
    heart: comptroller,
  };
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
  it('a market without a price: the wallets that entered it are unreadable, by name, and no others', async () => {
    const reader = compound.reader();
    const before = await reader.readPositions(compound.wallets, await local().head());
    const oracle = before.positions[0]!.legs[0]!.oracle;
    const snapshot = await local().rpc.request('evm_snapshot', []);
    const state = await reader.readMarket(await local().head());
    const wbtc = state.layout.assets.find(({ underlying }) => underlying?.symbol === 'WBTC')!.market;
    const entered = (await local().readMany(
      compound.wallets.map((wallet) => ({
        ...compound.standIn().figures,
        name: 'getAssetsIn',
        args: [wallet],
      })),
      await local().head(),
    )) as Address[][];
    const hasEntered = (_: Address, at: number): boolean =>
      entered[at]!.some((market) => market.toLowerCase() === wbtc);
    await local().send([
      { to: oracle, abi: standIns()['CompoundOracle']!.abi, name: 'setPrice', args: [wbtc, 0n] },
    ]);
    const { unreadable } = await reader.readPositions(compound.wallets, await local().head());
    expect(new Set(unreadable.flatMap(({ wallets }) => wallets))).toEqual(
      new Set(compound.wallets.filter(hasEntered)),
    );
    await local().rpc.request('evm_revert', [snapshot]);
  });
});

describe('compound-v2 liquidation bonus', () => {
  it('is the incentive of the comptroller', async () => {
    expect(await bonusesOf(compound.reader(), compound.wallets, local())).toEqual(new Set([800n]));
  });
});

describe('compound-v2 markets without an underlying token', () => {
  it('only the market that the row names is one of the chain’s own coin; the holders of another are unreadable', async () => {
    const contracts = standIns();
    const [first, second, third] = testWallets(3, 0x9700);
    const oracle = await local().deploy(contracts['CompoundOracle']!);
    const comptroller = await local().deploy(contracts['CompoundComptroller']!, [oracle]);
    const odd = await local().deploy(contracts['CompoundOracle']!);
    const marketOf = (underlying: string) =>
      local().deploy(contracts['CompoundToken']!, [underlying, 1n, WAD, WAD]);
    // The last one is a token without decimals().
    const markets = [await marketOf(zeroAddress), await marketOf(zeroAddress), await marketOf(odd)];
    await local().send(
      [first, second, third].flatMap((wallet, at) => [
        {
          to: oracle,
          abi: contracts['CompoundOracle']!.abi,
          name: 'setPrice',
          args: [markets[at], 2_500n * WAD],
        },
        {
          to: comptroller,
          abi: contracts['CompoundComptroller']!.abi,
          name: 'list',
          args: [markets[at], WAD / 2n],
        },
        {
          to: markets[at]!,
          abi: contracts['CompoundToken']!.abi,
          name: 'set',
          args: [[wallet], [WAD], [0n]],
        },
      ]),
    );
    const row = { protocol: 'compound-v2', family: 'compound-v2', chainId: 1, market: 'compound-v2' };
    const { client, multicall } = local();
    const reader = new FamilyReader(
      compoundV2,
      { ...row, contracts: { comptroller, nativeMarket: markets[0] } },
      { client, multicall },
    );
    const read = await reader.readPositions([first!, second!, third!], await local().head());
    expect(read.positions.map(({ wallet, legs }) => [wallet, legs.map(({ symbol }) => symbol)])).toEqual([
      [first, ['ETH']],
    ]);
    expect(read.unreadable).toMatchObject([{ reason: 'call_failed', wallets: [second, third] }]);
  });
});
