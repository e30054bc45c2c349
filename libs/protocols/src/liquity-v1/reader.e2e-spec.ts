import type { Address } from 'viem';
import { describeFamily } from '../../test/describe-family';
import { expectTotalsOf } from '../../test/expect-totals';
import { expectOpened } from '../../test/expect-opened';
import { amountsFrom, debtsOf, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { dolomite } from '../dolomite/reader';
import { liquityV1 } from './reader';

const WAD = 10n ** 18n;
const ETHER_PRICE = 2_513_771_234_567_890_123_456n;

const local = useLocalChain();

const troves = describeFamily('liquity-v1', liquityV1, local, async (chain, wallets) => {
  const artifact = standIns()['LiquityTroves']!;
  const troveManager = await chain.deploy(artifact, [ETHER_PRICE]);
  const call = { to: troveManager, abi: artifact.abi };
  const { amount } = amountsFrom(11);
  const collaterals = wallets.map(() => amount(18));
  const debts = debtsOf(
    collaterals.map((each) => (each * ETHER_PRICE) / WAD),
    94n,
    12,
  );
  // One large and safe trove keeps the whole system above the critical ratio.
  await chain.send([
    ...inParts({ ...call, name: 'set' }, [], [wallets, collaterals, debts]),
    { ...call, name: 'set', args: [[chain.operator], [10n ** 30n], [10n ** 30n]] },
  ]);
  return { contracts: { troveManager }, figures: call, heart: troveManager, isAlwaysInDebt: true };
});

describe('liquity-v1 as a system', () => {
  const send = (name: string, args: readonly unknown[]): Promise<void> =>
    local().send([{ ...troves.standIn().figures, name, args }]);
  const expectEqual = async () => {
    const block = await local().head();
    const { positions, mismatches } = await troves.reader().readPositions(troves.wallets, block);
    const calls = positions.map(({ wallet }) => ({
      ...troves.standIn().figures,
      name: 'figures',
      args: [wallet],
    }));
    const results = (await local().readMany(calls, block)) as bigint[][];
    expect(positions.map(({ totalDebtRaw, healthFactorRaw }) => [totalDebtRaw, healthFactorRaw])).toEqual(
      results.map(([, debt, factor]) => [debt, factor]),
    );
    expect(mismatches).toEqual([]);
    return positions;
  };

  it('its totals are those of all troves', async () => {
    const block = await local().head();
    const all = [...troves.wallets, local().operator];
    const { positions } = await troves.reader().readPositions(all, block);
    expectTotalsOf(await troves.reader().readTotals(block), positions);
  });

  it('a redistribution reaches every trove', async () => {
    await send('redistribute', [WAD / 7n]);
    await expectEqual();
  });

  it('in recovery mode the threshold is the ratio of the whole system, and the positions have the flag', async () => {
    const snapshot = await local().rpc.request('evm_snapshot', []);
    await send('setPrice', [(WAD * 13n) / 10n]);
    const positions = await expectEqual();
    expect(new Set(positions.flatMap(({ flags }) => flags))).toEqual(new Set(['recovery_mode']));
    await local().rpc.request('evm_revert', [snapshot]);
  });

  it('names the wallet that opens a trove, and no other', async () => {
    const { LiquityOperations } = standIns();
    const { figures } = troves.standIn();
    const [operations] = (await local().readMany(
      [{ ...figures, name: 'borrowerOperationsAddress' }],
      await local().head(),
    )) as Address[];
    const [stranger] = testWallets(1, 0x9500);
    const open = { to: operations!, abi: LiquityOperations!.abi, name: 'openTrove' };
    await expectOpened(local(), troves.reader(), stranger!, [
      { ...open, from: stranger!, args: [10n * WAD, 2_000n * WAD] },
      { ...figures, name: 'redistribute', args: [WAD / 9n] },
    ]);
  });

  it('a closed trove is no position', async () => {
    const [wallet] = troves.wallets;
    await send('close', [wallet]);
    const { positions } = await troves.reader().readPositions([wallet!], await local().head());
    expect(positions).toEqual([]);
  });
});

const ASSETS = [
  { symbol: 'WETH', decimals: 18, price: ETHER_PRICE, premium: 0n },
  { symbol: 'WBTC', decimals: 8, price: 91_234_567_890_123_456_789_012n * 10n ** 10n, premium: WAD / 20n },
  { symbol: 'USDC', decimals: 6, price: 999_812_345_678_901_234n * 10n ** 12n, premium: 0n },
] as const;

const margin = describeFamily('dolomite', dolomite, local, async (chain, wallets) => {
  const { DolomiteMargin, Token } = standIns();
  const address = await chain.deploy(DolomiteMargin!);
  const call = { to: address, abi: DolomiteMargin!.abi };
  const { amount, chance, below } = amountsFrom(15);
  for (const { symbol, decimals, price, premium } of ASSETS) {
    const token = await chain.deploy(Token!, [symbol, decimals]);
    await chain.send([{ ...call, name: 'list', args: [token, price, premium] }]);
  }
  // Account 0 supplies and owes dollars. Account 7 has only a supply. Some wallets have both.
  const collaterals = ASSETS.slice(0, 2).map(({ decimals }) => wallets.map(() => amount(decimals)));
  const values = wallets.map((__, index) =>
    collaterals.reduce((sum, list, id) => sum + list[index]! * ASSETS[id]!.price, 0n),
  );
  const debts = values.map((value) => (chance(0.85) ? 1n + below(value) / ASSETS[2].price : 0n));
  const none = wallets.map(() => 0n);
  const others = wallets.map(() => (chance(0.3) ? amount(6) : 0n));
  await chain.send([
    ...inParts({ ...call, name: 'set' }, [0n, 0n], [wallets, collaterals[0]!, none]),
    ...inParts({ ...call, name: 'set' }, [0n, 1n], [wallets, collaterals[1]!, none]),
    ...inParts({ ...call, name: 'set' }, [0n, 2n], [wallets, none, debts]),
    ...inParts({ ...call, name: 'set' }, [7n, 2n], [wallets, others, none]),
  ]);
  return {
    contracts: { margin: address },
    figures: call,
    figuresArgs: ({ wallet, subId }) => [wallet, BigInt(subId)],
    heart: address,
  };
});

describe('dolomite with several accounts of a wallet', () => {
  it('its totals are those of all accounts', async () => {
    const block = await local().head();
    const { positions } = await margin.reader().readPositions(margin.wallets, block);
    expectTotalsOf(await margin.reader().readTotals(block), positions);
  });

  it('each account is a separate position', async () => {
    const { positions } = await margin.reader().readPositions(margin.wallets, await local().head());
    const ofNumber = (number: string): number => positions.filter(({ subId }) => subId === number).length;
    expect(ofNumber('0')).toBe(margin.wallets.length);
    expect(ofNumber('7')).toBeGreaterThan(30);
  });
});
