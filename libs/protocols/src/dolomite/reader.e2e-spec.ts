import { describeFamily } from '../../test/describe-family';
import { expectTotalsOf } from '../../test/expect-totals';
import { amountsFrom, standIns } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { dolomite } from './reader';

const WAD = 10n ** 18n;
const ETHER_PRICE = 2_513_771_234_567_890_123_456n;
const local = useLocalChain();

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
    call,
    heart: address,
  };
});

describe('dolomite with risk overrides', () => {
  it('an override of an account replaces the margin ratio and the premiums of its thresholds', async () => {
    const call = { ...margin.deployed().call };
    const [first, second] = margin.wallets;
    const snapshot = await local().rpc.request('evm_snapshot', []);
    await local().send([
      { ...call, name: 'setOverride', args: [first, 0n, WAD / 20n] },
      { ...call, name: 'setOverride', args: [second, 0n, WAD * 2n] },
    ]);
    const block = await local().head();
    const { positions } = await margin.reader().readPositions([first!, second!], block);
    const held = positions.filter(({ subId, totalDebtRaw }) => subId === '0' && totalDebtRaw > 0n);
    expect(held.length).toBeGreaterThan(0);
    for (const { wallet, legs } of held) {
      const required = wallet === first ? WAD + WAD / 20n : WAD * 3n;
      const thresholds = legs.filter(({ usedAsCollateral }) => usedAsCollateral);
      expect(new Set(thresholds.map((leg) => leg.liquidationThresholdBps))).toEqual(
        new Set([(WAD * 10_000n) / required]),
      );
    }
    await local().rpc.request('evm_revert', [snapshot]);
  });
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
