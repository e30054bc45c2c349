import type { Address } from 'viem';
import { describeFamily } from '../../test/describe-family';
import { expectOpened } from '../../test/expect-opened';
import { expectTotalsOf, legsUsd } from '../../test/expect-totals';
import {
  amountsFrom,
  debtsOf,
  standIns,
  testWallets,
  type Call,
  type LocalChain,
} from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { llamma, llammaSecond } from './reader';
import { llammaMint } from './mint-reader';

const local = useLocalChain();

/**
 * A market with a loan of each wallet. `price` (wad) is the price of one whole collateral in the borrowed
 * token.
 */
async function openMarket(
  chain: LocalChain,
  wallets: readonly Address[],
  {
    borrowed,
    price,
    seed,
    controller = 'LlammaMarket',
  }: { borrowed: readonly [string, number]; price: bigint; seed: number; controller?: string },
): Promise<Pick<Call, 'to' | 'abi'>> {
  const { [controller]: LlammaMarket, PriceFeed, Token } = standIns();
  const tokens = [await chain.deploy(Token!, borrowed), await chain.deploy(Token!, ['WBTC', 8])];
  const oracle = await chain.deploy(PriceFeed!, [price, 18]);
  const market = await chain.deploy(LlammaMarket!, [...tokens, oracle]);
  const call = { to: market, abi: LlammaMarket!.abi };
  const { amount, chance, below } = amountsFrom(seed);
  const collaterals = wallets.map(() => amount(8));
  const values = collaterals.map((each) => (each * price) / 10n ** BigInt(26 - borrowed[1]));
  const converted = values.map((value) => (chance(0.3) ? below(value) : 0n));
  const debts = debtsOf(values, 98n, seed + 1);
  await chain.send(inParts({ ...call, name: 'set' }, [], [wallets, converted, collaterals, debts]));
  return call;
}

const loans = describeFamily('llamma-mint', llammaMint, local, async (chain, wallets) => {
  const price = 91_234_567_890_123_456_789_012n;
  const call = await openMarket(chain, wallets, { borrowed: ['crvUSD', 18], price, seed: 13 });
  return {
    contracts: { controller: call.to, amm: call.to },
    call,
    heart: call.to,
  };
});

const lends = describeFamily('llamma', llamma, local, async (chain, wallets) => {
  const { LlammaFactory, UsdOracle } = standIns();
  const factory = await chain.deploy(LlammaFactory!);
  const usdOracle = await chain.deploy(UsdOracle!);
  const price = 91_234_567_890_123_456_789_012n;
  const all = await openMarket(chain, wallets, { borrowed: ['crvUSD', 18], price, seed: 41 });
  const some = await openMarket(chain, wallets.slice(0, 60), { borrowed: ['USDC', 6], price, seed: 43 });
  const call = { to: factory, abi: LlammaFactory!.abi };
  await chain.send([
    { ...call, name: 'create', args: [all.to], gas: 2_000_000n },
    { ...call, name: 'create', args: [some.to], gas: 2_000_000n },
  ]);
  return {
    contracts: { oneWayFactory: factory },
    call,
    heart: all.to,
    usdOracles: [usdOracle],
  };
});

const secondLends = describeFamily('llamma-second', llammaSecond, local, async (chain, wallets) => {
  const { LlammaFactoryV2, UsdOracle } = standIns();
  const factory = await chain.deploy(LlammaFactoryV2!);
  const usdOracle = await chain.deploy(UsdOracle!);
  const price = 2_513_123_456_789_012_345_678n;
  const { to } = await openMarket(chain, wallets, {
    borrowed: ['crvUSD', 18],
    price,
    seed: 47,
    controller: 'LlammaSecondMarket',
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

describe.each([
  ['llamma-mint', loans, 'LlammaMarket'],
  ['llamma', lends, 'LlammaMarket'],
  ['llamma-second', secondLends, 'LlammaSecondMarket'],
] as const)('%s', (_, family, controller) => {
  it('its logs name the wallets that open a position', async () => {
    const [stranger] = testWallets(1, 0x9000);
    const call = { to: family.deployed().heart, abi: standIns()[controller]!.abi, from: stranger! };
    await expectOpened(local(), family.reader(), stranger!, [
      { ...call, name: 'borrow_more', args: [10n ** 8n, 10n ** 18n] },
    ]);
  });
});

describe('llamma-mint totals', () => {
  it('are those of all loans', async () => {
    const block = await local().head();
    const { positions } = await loans.reader().readPositions(loans.wallets, block);
    expectTotalsOf(await loans.reader().readTotals(block), positions);
  });
});

describe('llamma totals', () => {
  it('are those of all loans and of the lent tokens, in markets with a known dollar price; otherwise there are none', async () => {
    const none = await local().head();
    expect(await lends.reader().readTotals(none)).toBeNull();
    const { rpc } = local();
    const snapshot = await rpc.request('evm_snapshot', []);
    const { positions: before } = await lends.reader().readPositions(lends.wallets, none);
    const usdc = before
      .find(({ priceDecimals }) => priceDecimals === 6)!
      .legs.find(({ side }) => side === 'debt')!;
    const [usdOracle] = lends.deployed().usdOracles!;
    await local().send([
      {
        to: usdOracle!,
        abi: standIns()['UsdOracle']!.abi,
        name: 'setPrice',
        args: [usdc.address, 10n ** 8n],
      },
    ]);
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

describe('llamma with several markets', () => {
  it('each market is a separate position, in units of the lent token; a token without a price has no dollar value', async () => {
    const { positions } = await lends.reader().readPositions(lends.wallets, await local().head());
    const inUsdc = positions.filter(({ priceDecimals }) => priceDecimals === 6);
    expect(inUsdc.length).toBe(60);
    expect(positions.length).toBe(lends.wallets.length + 60);
    expect(new Set(positions.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(new Set([null]));
  });
});
