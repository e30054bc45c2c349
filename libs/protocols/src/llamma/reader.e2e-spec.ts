import type { Address } from 'viem';
import { describeFamily } from '../../test/describe-family';
import { expectOpened } from '../../test/expect-opened';
import { legsUsd } from '../../test/expect-totals';
import {
  amountsFrom,
  debtsOf,
  standIns,
  testWallets,
  type Call,
  type LocalChain,
} from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { llammaSecond } from './reader';

const local = useLocalChain();

/**
 * A market with a loan of each wallet. `price` (wad) is the price of one whole collateral in the borrowed
 * token.
 */
async function openMarket(
  chain: LocalChain,
  wallets: readonly Address[],
  { borrowed, price, seed }: { borrowed: readonly [string, number]; price: bigint; seed: number },
): Promise<Pick<Call, 'to' | 'abi'>> {
  const { LlammaSecondMarket, PriceFeed, Token } = standIns();
  const tokens = [await chain.deploy(Token!, borrowed), await chain.deploy(Token!, ['WBTC', 8])];
  const oracle = await chain.deploy(PriceFeed!, [price, 18]);
  const market = await chain.deploy(LlammaSecondMarket!, [...tokens, oracle]);
  const call = { to: market, abi: LlammaSecondMarket!.abi };
  const { amount, chance, below } = amountsFrom(seed);
  const collaterals = wallets.map(() => amount(8));
  const values = collaterals.map((each) => (each * price) / 10n ** BigInt(26 - borrowed[1]));
  const converted = values.map((value) => (chance(0.3) ? below(value) : 0n));
  const debts = debtsOf(values, 98n, seed + 1);
  await chain.send(inParts({ ...call, name: 'set' }, [], [wallets, converted, collaterals, debts]));
  return call;
}

const lends = describeFamily('llamma-second', llammaSecond, local, async (chain, wallets) => {
  const { LlammaFactoryV2, UsdOracle } = standIns();
  const factory = await chain.deploy(LlammaFactoryV2!);
  const usdOracle = await chain.deploy(UsdOracle!);
  const price = 2_513_123_456_789_012_345_678n;
  const { to } = await openMarket(chain, wallets, {
    borrowed: ['crvUSD', 18],
    price,
    seed: 47,
  });
  const call = { to: factory, abi: LlammaFactoryV2!.abi };
  await chain.send([{ ...call, name: 'create', args: [to], gas: 2_000_000n }]);
  return {
    contracts: { oneWayFactoryV2: factory },
    call,
    heart: to,
    usdOracles: [usdOracle],
  };
});

describe('llamma-second', () => {
  it('its logs name the wallets that open a position', async () => {
    const [stranger] = testWallets(1, 0x9000);
    const { abi } = standIns()['LlammaSecondMarket']!;
    const call = { to: lends.deployed().heart, abi, from: stranger! };
    await expectOpened(local(), lends.reader(), stranger!, [
      { ...call, name: 'borrow_more', args: [10n ** 8n, 10n ** 18n] },
    ]);
  });

  it('its totals are those of all loans and of the lent tokens, in markets with a known dollar price; otherwise there are none', async () => {
    const none = await local().head();
    expect(await lends.reader().readTotals(none)).toBeNull();
    const { rpc } = local();
    const snapshot = await rpc.request('evm_snapshot', []);
    const { positions: before } = await lends.reader().readPositions(lends.wallets, none);
    expect(new Set(before.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(new Set([null]));
    const { address } = before[0]!.legs.find(({ side }) => side === 'debt')!;
    const [usdOracle] = lends.deployed().usdOracles!;
    const { abi } = standIns()['UsdOracle']!;
    await local().send([{ to: usdOracle!, abi, name: 'setPrice', args: [address, 10n ** 8n] }]);
    const block = await local().head();
    const { positions } = await lends.reader().readPositions(lends.wallets, block);
    const totals = await lends.reader().readTotals(block);
    const debt = legsUsd(positions, 'debt');
    expect(debt).toBeGreaterThan(0);
    expect(totals!.borrowedUsd / debt).toBeCloseTo(1, 6);
    // A fifth of the vault's balance is not lent.
    expect(totals!.suppliedUsd / (legsUsd(positions, 'collateral') + 1.25 * debt)).toBeCloseTo(1, 6);
    await rpc.request('evm_revert', [snapshot]);
  });
});
