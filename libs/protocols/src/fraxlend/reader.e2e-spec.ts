import { describeFamily } from '../../test/describe-family';
import { expectOpened } from '../../test/expect-opened';
import { legsUsd } from '../../test/expect-totals';
import { amountsFrom, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import type { Address } from 'viem';
import { isReadable, type RawPosition } from '../reader/raw-position';
import { fraxlend } from './reader';

const WAD = 10n ** 18n;
/** WBTC (8 decimals) for 1e18 FRAX, and ether for it. */
const BTC_RATE = 1_096n;
const ETHER_RATE = 397_812_345_678_901n;
const FRAX_USD = 99_876_543n;

const local = useLocalChain();
let firstPair: Address;
const pairs = describeFamily('fraxlend', fraxlend, local, async (chain, wallets) => {
  const { FraxlendPairV1, FraxlendPairV2, FraxlendRegistry, Token, UsdOracle } = standIns();
  const registry = await chain.deploy(FraxlendRegistry!);
  const call = { to: registry, abi: FraxlendRegistry!.abi };
  const frax = await chain.deploy(Token!, ['FRAX', 18]);
  const usdOracle = await chain.deploy(UsdOracle!);
  const { amount, chance, below } = amountsFrom(71);
  const open = async (
    artifact: typeof FraxlendPairV1,
    token: readonly [string, number],
    rate: bigint,
    share: number,
  ) => {
    const collateral = await chain.deploy(Token!, token);
    const pair = await chain.deploy(artifact!, [frax, collateral, rate, 10n ** 32n]);
    const balances = wallets.map(() => (chance(share) ? amount(token[1]) : 0n));
    const shares = balances.map((own) => (chance(0.8) ? below(((own * WAD) / rate) * 7n) / 8n : 0n));
    const lent = wallets.map(() => (chance(0.2) ? amount(18) : 0n));
    await chain.send([
      ...inParts({ to: pair, abi: artifact!.abi, name: 'set' }, [], [wallets, balances, shares, lent]),
      { ...call, name: 'addPair', args: [pair] },
    ]);
    return pair;
  };
  firstPair = await open(FraxlendPairV1, ['WETH', 18], ETHER_RATE, 1);
  await open(FraxlendPairV2, ['WBTC', 8], BTC_RATE, 0.3);
  await chain.send([{ to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice', args: [frax, FRAX_USD] }]);
  return {
    contracts: { registry },
    call,
    heart: registry,
    usdOracles: [usdOracle],
  };
});

describe('fraxlend pairs', () => {
  it('each pair is a separate position; lent tokens secure nothing', async () => {
    const { positions } = await pairs.reader().readPositions(pairs.wallets, await local().head());
    expect(positions.length).toBeGreaterThan(pairs.wallets.length + 30);
    const lent = positions.flatMap(({ legs }) =>
      legs.filter(({ symbol, side }) => symbol === 'FRAX' && side === 'collateral'),
    );
    expect(lent.length).toBeGreaterThan(20);
    expect(lent.every(({ usedAsCollateral }) => !usedAsCollateral)).toBe(true);
    expect(new Set(positions.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(
      new Set([FRAX_USD * 10n ** 10n]),
    );
  });

  it('their logs name the wallets that open a position', async () => {
    const [stranger] = testWallets(1, 0x9000);
    const { FraxlendPairV1 } = standIns();
    const call = { to: firstPair, abi: FraxlendPairV1!.abi, gas: 1_000_000n };
    await expectOpened(local(), pairs.reader(), stranger!, [
      { ...call, name: 'addCollateral', args: [10n ** 18n, stranger] },
    ]);
  });

  it('their totals equal the debts of all positions, and their collateral plus the earlier loans', async () => {
    const block = await local().head();
    const { positions } = await pairs.reader().readPositions(pairs.wallets, block);
    const totals = await pairs.reader().readTotals(block);
    expect(totals!.borrowedUsd / legsUsd(positions, 'debt')).toBeCloseTo(1, 6);
    expect(totals!.suppliedUsd).toBeGreaterThan(legsUsd(positions, 'collateral'));
  });
});

describe('fraxlend pairs of both versions', () => {
  const ofPair = { abi: () => standIns()['FraxlendPairV1']!.abi };
  const verdictsOf = async (name: string, wanted: (position: RawPosition) => boolean) => {
    const block = await local().head();
    const { positions } = await pairs.reader().readPositions(pairs.wallets, block);
    const held = positions.filter(wanted);
    const calls = held.map(({ wallet, subId }) => ({
      to: subId as Address,
      abi: ofPair.abi(),
      name,
      args: [wallet],
    }));
    return { held, verdicts: await local().readMany(calls, block) };
  };
  it('a maximum LTV of 0 and a rate of 0 make no debt insolvent', async () => {
    const snapshot = await local().rpc.request('evm_snapshot', []);
    const pair = { to: firstPair, abi: ofPair.abi() };
    const inFirst = ({ subId, totalDebtRaw }: RawPosition) => subId === pair.to && totalDebtRaw > 0n;
    for (const [maxLtv, rate] of [
      [0n, ETHER_RATE],
      [75_000n, 0n],
    ]) {
      await local().send([
        { ...pair, name: 'setMaxLtv', args: [maxLtv] },
        { ...pair, name: 'setRate', args: [rate] },
      ]);
      const { held, verdicts } = await verdictsOf('isSolvent', inFirst);
      expect(held.length).toBeGreaterThan(50);
      expect(new Set(verdicts)).toEqual(new Set([true]));
      expect(new Set(held.map(({ healthFactorRaw }) => healthFactorRaw))).toEqual(new Set([null]));
    }
    await local().rpc.request('evm_revert', [snapshot]);
  });

  it('a pair that fails leaves the others of the wallet as they are', async () => {
    const snapshot = await local().rpc.request('evm_snapshot', []);
    const before = await verdictsOf('isSolvent', ({ subId }) => subId !== firstPair);
    await local().rpc.request('anvil_setCode', [firstPair, '0x60006000fd']);
    await local().passTime(1);
    const { positions, unreadable } = await pairs.reader().readPositions(pairs.wallets, await local().head());
    expect(unreadable).toEqual([]);
    const keys = (held: readonly RawPosition[]) => held.map(({ wallet, subId }) => `${wallet} ${subId}`);
    expect(keys(positions.filter(isReadable))).toEqual(keys(before.held));
    expect(positions.filter((position) => !isReadable(position)).map(({ wallet }) => wallet)).toEqual(
      pairs.wallets,
    );
    await local().rpc.request('evm_revert', [snapshot]);
  });
});
