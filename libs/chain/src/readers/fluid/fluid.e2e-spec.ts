import { describeFamily } from '../../../test/describe-family';
import { legsUsd } from '../../../test/expect-totals';
import { amountsFrom, standIns, testWallets } from '../../../test/local-chain';
import { inParts, useLocalChain } from '../../../test/use-local-chain';
import { fluid } from './fluid';

const NONE = '0x0000000000000000000000000000000000000000';
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const [first, smart] = testWallets(2, 0x9000);
/** USDC for one WBTC, and DEX shares for one ether: by their smallest units, with 27 decimals. */
const BTC_PRICE = 91_234_567_890n * 10n ** 19n;
const ETHER_PRICE = 2_513n * 10n ** 27n;
const BTC_USD = 9_125_000_000_000n;

const local = useLocalChain();
const vaults = describeFamily('fluid', fluid, local, async (chain, wallets) => {
  const { FluidVaults, Token, UsdOracle } = standIns();
  const resolver = await chain.deploy(FluidVaults!);
  const call = { to: resolver, abi: FluidVaults!.abi };
  const [wbtc, usdc] = [await chain.deploy(Token!, ['WBTC', 8]), await chain.deploy(Token!, ['USDC', 6])];
  const usdt = await chain.deploy(Token!, ['USDT', 6]);
  const usdOracle = await chain.deploy(UsdOracle!);
  const side = (token0: string, token1 = NONE) => ({ token0, token1 });
  await chain.send([
    { ...call, name: 'list', args: [first, side(wbtc), side(usdc), 9_000, BTC_PRICE] },
    { ...call, name: 'list', args: [smart, side(NATIVE), side(usdc, usdt), 8_750, ETHER_PRICE] },
    { to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice', args: [wbtc, BTC_USD] },
  ]);
  const { amount, chance, below } = amountsFrom(21);
  const owing = (supplied: readonly bigint[], price: bigint): bigint[] =>
    supplied.map((each) => (chance(0.8) ? below((each * price) / 10n ** 27n) : 0n));
  const btc = wallets.map(() => amount(8));
  const ether = wallets.map(() => (chance(0.3) ? amount(18) : 0n));
  await chain.send([
    ...inParts({ ...call, name: 'set' }, [first], [wallets, btc, owing(btc, BTC_PRICE)]),
    ...inParts({ ...call, name: 'set' }, [smart], [wallets, ether, owing(ether, ETHER_PRICE)]),
  ]);
  return {
    contracts: { vaultResolver: resolver },
    figures: call,
    figuresArgs: ({ subId }) => [BigInt(subId)],
    heart: resolver,
    usdOracles: [usdOracle],
  };
});

describe('fluid totals', () => {
  it('are those of all positions in vaults of which a dollar oracle knows one side', async () => {
    const block = await local().head();
    const { positions } = await vaults.reader().readPositions(vaults.wallets, block);
    const priced = positions.filter(({ usdPerBaseRaw }) => usdPerBaseRaw !== null);
    expect(priced.length).toBeGreaterThan(200);
    const totals = await vaults.reader().readTotals(block);
    // The resolver rounds each position, and the vault its sum.
    expect(totals!.suppliedUsd / legsUsd(priced, 'collateral')).toBeCloseTo(1, 6);
    expect(totals!.borrowedUsd / legsUsd(priced, 'debt')).toBeCloseTo(1, 6);
  });
});

describe('fluid with smart sides', () => {
  it('a wallet has a position for each NFT; DEX shares go by the names of their tokens', async () => {
    const { positions } = await vaults.reader().readPositions(vaults.wallets, await local().head());
    const symbols = new Set(positions.flatMap(({ legs }) => legs.map(({ symbol }) => symbol)));
    expect(symbols).toEqual(new Set(['WBTC', 'USDC', 'ETH', 'USDC/USDT']));
    expect(positions.length).toBeGreaterThan(vaults.wallets.length + 30);
  });

  it('the dollars of a debt without a price come from its collateral; without either there are none', async () => {
    const { positions } = await vaults.reader().readPositions(vaults.wallets, await local().head());
    const usdOf = (symbol: string): Set<bigint | null> =>
      new Set(
        positions
          .filter(({ legs }) => legs.some((leg) => leg.symbol === symbol))
          .map(({ usdPerBaseRaw }) => usdPerBaseRaw),
      );
    expect(usdOf('WBTC')).toEqual(new Set([(BTC_USD * 10n ** 10n * 10n ** 27n) / (BTC_PRICE * 100n)]));
    expect(usdOf('ETH')).toEqual(new Set([null]));
  });

  it('the principal is what the position stores, however much interest came to it', async () => {
    const { positions } = await vaults.reader().readPositions(vaults.wallets, await local().head());
    const calls = positions.map(({ subId }) => ({
      ...vaults.standIn().figures,
      name: 'rawOf',
      args: [BigInt(subId)],
    }));
    const raws = (await local().readMany(calls, await local().head())) as [bigint, bigint][];
    const scaledOf = (side: string) =>
      positions.map(({ legs }) => legs.find((leg) => leg.side === side)?.scaledRaw ?? 0n);
    expect(scaledOf('collateral')).toEqual(raws.map(([supply]) => supply));
    expect(scaledOf('debt')).toEqual(raws.map(([, borrow]) => borrow));
  });
});
