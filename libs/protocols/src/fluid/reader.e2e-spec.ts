import { describeFamily } from '../../test/describe-family';
import { legsUsd } from '../../test/expect-totals';
import { amountsFrom, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { FamilyReader } from '../reader/family-reader';
import { isReadable } from '../reader/raw-position';
import { fluid } from './reader';

const NONE = '0x0000000000000000000000000000000000000000';
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const [first, smart, twice, unpriced] = testWallets(4, 0x9000);
/** USDC for one WBTC, and DEX shares for one ether: by their smallest units, with 27 decimals. */
const BTC_PRICE = 91_234_567_890n * 10n ** 19n;
const ETHER_PRICE = 2_513n * 10n ** 27n;
const BTC_USD = 9_125_000_000_000n;
const ETHER_USD = 251_300_000_000n;
const [USDC_USD, USDT_USD] = [99_980_000n, 100_020_000n];
/**
 * The amount of each token for 1e18 shares of a DEX: supplied and borrowed shares of the vault that is smart
 * on both sides.
 */
const DEBT_SHARE = [612_345n, 390_001n] as const;
const [SUPPLY_SHARE, BORROW_SHARE] = [
  [300_000_000_000_000n, 812n],
  [505_050n, 1_234n],
] as const;
/** Shares borrowed for one supplied, by the oracle. */
const SHARE_PRICE = 13n * 10n ** 26n;

const local = useLocalChain();
const vaults = describeFamily('fluid', fluid, local, async (chain, wallets) => {
  const { FluidVaults, Token, UsdOracle } = standIns();
  const resolver = await chain.deploy(FluidVaults!);
  const call = { to: resolver, abi: FluidVaults!.abi };
  const [wbtc, usdc] = [await chain.deploy(Token!, ['WBTC', 8]), await chain.deploy(Token!, ['USDC', 6])];
  const usdt = await chain.deploy(Token!, ['USDT', 6]);
  const [weth, odd] = [await chain.deploy(Token!, ['WETH', 18]), await chain.deploy(Token!, ['ODD', 9])];
  const usdOracle = await chain.deploy(UsdOracle!);
  const side = (token0: string, token1 = NONE) => ({ token0, token1 });
  await chain.send([
    { ...call, name: 'list', args: [first, side(wbtc), side(usdc), 9_000, BTC_PRICE] },
    { ...call, name: 'list', args: [smart, side(NATIVE), side(usdc, usdt), 8_750, ETHER_PRICE] },
    { ...call, name: 'setShares', args: [smart, [0n, 0n, ...DEBT_SHARE]] },
    // No oracle knows a token of the debt, so its dollar value comes from the collateral's.
    { ...call, name: 'list', args: [twice, side(NATIVE, wbtc), side(usdc, odd), 9_100, SHARE_PRICE] },
    { ...call, name: 'setShares', args: [twice, [...SUPPLY_SHARE, ...BORROW_SHARE]] },
    { ...call, name: 'list', args: [unpriced, side(odd), side(odd, odd), 8_000, SHARE_PRICE] },
    ...(
      [
        [wbtc, BTC_USD],
        [weth, ETHER_USD],
        [usdc, USDC_USD],
        [usdt, USDT_USD],
      ] as const
    ).map((args) => ({ to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice', args })),
  ]);
  const { amount, chance, below } = amountsFrom(21);
  const owing = (supplied: readonly bigint[], price: bigint): bigint[] =>
    supplied.map((each) => (chance(0.8) ? below((each * price) / 10n ** 27n) : 0n));
  const btc = wallets.map(() => amount(8));
  const ether = wallets.map(() => (chance(0.3) ? amount(18) : 0n));
  // A tick is searched for every position.
  const gas = 28_000_000n;
  const sets = [
    ...inParts({ ...call, name: 'set' }, [first], [wallets, btc, owing(btc, BTC_PRICE)]),
    ...inParts({ ...call, name: 'set' }, [smart], [wallets, ether, owing(ether, ETHER_PRICE)]),
    ...[twice, unpriced].flatMap((vault, at) => {
      const some = wallets.slice(60 * at, 60 * at + 40);
      const shares = some.map(() => amount(18));
      return inParts(
        { ...call, name: 'set' },
        [vault],
        [some, shares, owing(shares, SHARE_PRICE).map((debt) => debt / 2n)],
      );
    }),
  ];
  for (const set of sets) await chain.send([{ ...set, gas }]);
  return {
    contracts: { vaultResolver: resolver, dexResolver: resolver, wrappedNative: weth },
    call,
    heart: resolver,
    usdOracles: [usdOracle],
  };
});

describe('fluid with an NFT that a stranger sent', () => {
  it('makes unreadable only itself, without a dollar price and with a failed oracle', async () => {
    const [wallet] = testWallets(1, 0x9500);
    const call = { ...vaults.deployed().call };
    const snapshot = await local().rpc.request('evm_snapshot', []);
    const [nowhere] = testWallets(1, 0x9600);
    await local().send([
      { ...call, name: 'give', args: [first, wallet, 10n ** 8n] },
      { ...call, name: 'give', args: [unpriced, wallet, 1n] },
      { ...call, name: 'give', args: [nowhere, wallet, 1n] },
    ]);
    const { positions, unreadable } = await vaults.reader().readPositions([wallet!], await local().head());
    expect(unreadable).toEqual([]);
    expect(positions.map(isReadable)).toEqual([true, false, false]);
    await local().rpc.request('evm_revert', [snapshot]);
  });
});

describe('fluid totals', () => {
  it('are those of all positions in vaults with a known dollar price of one side', async () => {
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
  it('a wallet has a position for each NFT; DEX shares have the names of their tokens', async () => {
    const { positions } = await vaults.reader().readPositions(vaults.wallets, await local().head());
    const symbols = new Set(positions.flatMap(({ legs }) => legs.map(({ symbol }) => symbol)));
    expect(symbols).toEqual(
      new Set(['WBTC', 'USDC', 'ETH', 'USDC/USDT', 'ETH/WBTC', 'USDC/ODD', 'ODD', 'ODD/ODD']),
    );
    expect(positions.length).toBeGreaterThan(vaults.wallets.length + 30);
  });

  const usdOf = async (symbol: string): Promise<Set<bigint | null>> => {
    const { positions } = await vaults.reader().readPositions(vaults.wallets, await local().head());
    return new Set(
      positions
        .filter(({ legs }) => legs.some((leg) => leg.symbol === symbol))
        .map(({ usdPerBaseRaw }) => usdPerBaseRaw),
    );
  };
  /** Dollars (wad) of one share, from those of its tokens with 8 decimals. */
  const shareUsd = (
    perShare: readonly bigint[],
    usd: readonly bigint[],
    decimals: readonly number[],
  ): bigint =>
    perShare.reduce(
      (sum, each, at) => sum + (each * usd[at]! * 10n ** 10n) / 10n ** BigInt(decimals[at]!),
      0n,
    );

  it('the value of a debt in shares is that of its tokens', async () => {
    expect(await usdOf('ETH')).toEqual(new Set([shareUsd(DEBT_SHARE, [USDC_USD, USDT_USD], [6, 6])]));
    expect(await usdOf('USDC')).toEqual(new Set([USDC_USD * 10n ** 10n]));
  });

  it("values a debt without a known token by the oracle's price of the collateral in shares", async () => {
    const collateral = shareUsd(SUPPLY_SHARE, [ETHER_USD, BTC_USD], [18, 8]);
    expect(await usdOf('ETH/WBTC')).toEqual(new Set([(collateral * 10n ** 27n) / SHARE_PRICE]));
  });

  it('no dollar value if no oracle knows either side, and none without the resolver of the shares', async () => {
    expect(await usdOf('ODD')).toEqual(new Set([null]));
    const { contracts } = vaults.deployed();
    const row = { protocol: 'fluid', family: 'fluid', chainId: 1, market: 'fluid' };
    const { client, multicall } = local();
    const without = new FamilyReader(
      fluid,
      { ...row, contracts: { vaultResolver: contracts['vaultResolver'] } },
      { client, multicall, usdOracles: vaults.deployed().usdOracles ?? [] },
    );
    const { positions } = await without.readPositions(vaults.wallets.slice(0, 20), await local().head());
    const twofold = positions.filter(({ legs }) => legs.some(({ symbol }) => symbol === 'ETH/WBTC'));
    expect(new Set(twofold.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(new Set([null]));
  });

  it('the principal is what the position stores, without interest', async () => {
    const { positions } = await vaults.reader().readPositions(vaults.wallets, await local().head());
    const calls = positions.map(({ subId }) => ({
      ...vaults.deployed().call,
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
