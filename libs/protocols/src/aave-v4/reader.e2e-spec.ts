import { describeFamily } from '../../test/describe-family';
import { expectOpened } from '../../test/expect-opened';
import { expectTotalsOf } from '../../test/expect-totals';
import { amountsFrom, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { aaveV4 } from './reader';

const RESERVES = [
  { symbol: 'WETH', decimals: 18, price: 2_513_771_234_56n, oldFactor: 8_000, factor: 8_300 },
  { symbol: 'WBTC', decimals: 8, price: 91_234_567_890_12n, oldFactor: 7_500, factor: 0 },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, oldFactor: 7_800, factor: 7_812 },
] as const;

const local = useLocalChain();
const spoke = describeFamily('aave-v4', aaveV4, local, async (chain, wallets) => {
  const { AaveV4Spoke, Token } = standIns();
  const address = await chain.deploy(AaveV4Spoke!);
  const call = { to: address, abi: AaveV4Spoke!.abi };
  const { amount, chance, below } = amountsFrom(81);
  const values = wallets.map(() => 0n);
  for (const [id, { symbol, decimals, price, oldFactor, factor }] of RESERVES.entries()) {
    const token = await chain.deploy(Token!, [symbol, decimals]);
    await chain.send([{ ...call, name: 'addReserve', args: [token, decimals, price, oldFactor, factor] }]);
    const supplied = wallets.map(() => (id === 0 || chance(0.4) ? amount(decimals) : 0n));
    supplied.forEach((own, index) => {
      values[index] = values[index]! + (own * price) / 10n ** BigInt(decimals);
    });
    const owed = values.map((value) =>
      id === 2 && chance(0.85) ? below((value * 10n ** BigInt(decimals)) / price) : 0n,
    );
    // Halves of the wallets: the newest config or the one before it, and collateral or not.
    const half = wallets.length / 2;
    const part = (from: number, to: number) => [wallets, supplied, owed].map((list) => list.slice(from, to));
    await chain.send([
      ...inParts({ ...call, name: 'set' }, [id, 0, true], part(0, half)),
      ...inParts({ ...call, name: 'set' }, [id, 1, id !== 2], part(half, wallets.length)),
    ]);
  }
  return { contracts: { spoke: address }, call, heart: address };
});

describe('aave-v4 thresholds', () => {
  it('are those of the config key that a position was last refreshed to', async () => {
    const { positions } = await spoke.reader().readPositions(spoke.wallets, await local().head());
    const legs = positions.flatMap((position) =>
      position.legs.map((leg) => ({ ...leg, isNew: spoke.wallets.indexOf(position.wallet) >= 110 })),
    );
    const thresholds = (symbol: string, isNew: boolean) =>
      new Set(
        legs
          .filter((leg) => leg.symbol === symbol && leg.side === 'collateral' && leg.isNew === isNew)
          .map((leg) => leg.liquidationThresholdBps),
      );
    expect(thresholds('WETH', false)).toEqual(new Set([8_000n]));
    expect(thresholds('WETH', true)).toEqual(new Set([8_300n]));
    // A supply with a collateral factor of 0, or not enabled, secures nothing.
    expect(thresholds('WBTC', true)).toEqual(new Set([0n]));
    expect(thresholds('USDC', true)).toEqual(new Set([0n]));
  });
});

describe('aave-v4 totals', () => {
  it('are those of all positions', async () => {
    const block = await local().head();
    const { positions } = await spoke.reader().readPositions(spoke.wallets, block);
    expectTotalsOf(await spoke.reader().readTotals(block), positions);
  });
});

describe('aave-v4 holders', () => {
  it('names the wallet that a supply is for, and a liquidator that takes shares', async () => {
    const [stranger, payer] = testWallets(2, 0x9600);
    const call = { ...spoke.deployed().call, from: payer! };
    await expectOpened(local(), spoke.reader(), stranger!, [
      { ...call, name: 'supply', args: [0n, 5n, stranger] },
      { ...call, name: 'borrow', args: [2n, 1n, spoke.wallets[0]] },
    ]);
    const seize = { name: 'liquidationCall', args: [0n, 2n, spoke.wallets[0], 1n, true] };
    await expectOpened(local(), spoke.reader(), payer!, [{ ...call, ...seize }]);
  });
});
