import type { Address } from 'viem';
import { describeFamily } from '../../test/describe-family';
import { amountsFrom, standIns, testWallets } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { isReadable } from '../reader/raw-position';
import { siloV2 } from './reader';

const WAD = 10n ** 18n;
/** USDC for the smallest unit of ether, with 18 decimals. */
const ETHER_PRICE = 2_513_771_234n;
const NONE = '0x0000000000000000000000000000000000000000';

const local = useLocalChain();
let openLater: () => Promise<void>;
let openBy: (holders: readonly Address[], priced: boolean) => Promise<Address>;
const markets = describeFamily('silo-v2', siloV2, local, async (chain, wallets) => {
  const { Silo, SiloFactory, SiloMarket, SiloOracle, SiloPlainOracle, Token, UsdOracle } = standIns();
  const factory = await chain.deploy(SiloFactory!);
  const call = { to: factory, abi: SiloFactory!.abi };
  const [weth, usdc] = [await chain.deploy(Token!, ['WETH', 18]), await chain.deploy(Token!, ['USDC', 6])];
  const oracle = await chain.deploy(SiloOracle!, [usdc]);
  const usdOracle = await chain.deploy(UsdOracle!);
  const inUsd = { to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice' } as const;
  await chain.send([
    { to: oracle, abi: SiloOracle!.abi, name: 'setPrice', args: [weth, ETHER_PRICE] },
    { ...inUsd, args: [weth, 2_500n * 10n ** 8n] },
    { ...inUsd, args: [usdc, 10n ** 8n] },
  ]);
  const { amount, chance, below } = amountsFrom(91);
  const none = wallets.map(() => 0n);
  const open = async (holders: readonly Address[], isSameToken: boolean, by = oracle) => {
    const ether = await chain.deploy(Silo!, [weth, by, (WAD * 86n) / 100n]);
    const dollars = await chain.deploy(Silo!, [usdc, NONE, isSameToken ? (WAD * 95n) / 100n : 0n]);
    const market = await chain.deploy(SiloMarket!, [ether, dollars]);
    const set = (to: Address, lists: readonly (readonly bigint[])[]) =>
      inParts({ to, abi: Silo!.abi, name: 'set' }, [], [holders, ...lists]);
    const decimals = isSameToken ? 6 : 18;
    const lent = holders.map(() => 1_000_000_000n + amount(decimals));
    const secured = holders.map(() => (chance(0.3) ? amount(decimals) : 0n));
    const owed = holders.map((_, index) => {
      const deposited = lent[index]! + secured[index]!;
      const value = isSameToken ? deposited : (deposited * ETHER_PRICE) / WAD;
      return chance(0.8) ? 1n + below(value) : 0n;
    });
    // Some lend on the side they borrow from as well: it secures nothing.
    const beside = holders.map(() => (chance(0.2) ? 1n + below(500n) : 0n));
    const zeros = none.slice(0, holders.length);
    await chain.send([
      ...(isSameToken
        ? set(dollars, [secured, lent, owed])
        : [...set(ether, [secured, lent, zeros]), ...set(dollars, [zeros, beside, owed])]),
      ...inParts(
        { to: market, abi: SiloMarket!.abi, name: 'secure' },
        [isSameToken ? dollars : ether],
        [holders],
      ),
      { ...call, name: 'add', args: [market] },
    ]);
  };
  await open(wallets, false);
  await open(wallets.slice(0, 60), true);
  openLater = () => open(wallets.slice(0, 3), false);
  openBy = async (holders, priced) => {
    const unnamed = await chain.deploy(SiloPlainOracle!);
    if (priced)
      await chain.send([
        { to: unnamed, abi: SiloPlainOracle!.abi, name: 'setPrice', args: [weth, ETHER_PRICE] },
      ]);
    await open(holders, false, unnamed);
    return unnamed;
  };
  return {
    contracts: { factory },
    call,
    heart: factory,
    usdOracles: [usdOracle],
  };
});

describe('silo-v2 markets', () => {
  const read = async () =>
    (await markets.reader().readPositions(markets.wallets, await local().head())).positions;

  it('each market is a separate position, and the debt may be of the token that secures it', async () => {
    const positions = await read();
    expect(positions.filter(({ subId }) => subId === '101').length).toBe(60);
    const inSecond = positions.filter(({ subId }) => subId === '101').flatMap(({ legs }) => legs);
    expect(new Set(inSecond.map(({ symbol }) => symbol))).toEqual(new Set(['USDC']));
  });

  it('a deposit on the borrowed side secures nothing', async () => {
    const beside = (await read())
      .filter(({ subId }) => subId === '100')
      .flatMap(({ legs }) => legs.filter(({ symbol, side }) => symbol === 'USDC' && side === 'collateral'));
    expect(beside.length).toBeGreaterThan(20);
    expect(beside.every(({ usedAsCollateral }) => !usedAsCollateral)).toBe(true);
  });

  it('a market that is created later is found from the next block on', async () => {
    await openLater();
    await read();
    const third = (await read()).filter(({ subId }) => subId === '102');
    expect(third.map(({ wallet }) => wallet)).toEqual(markets.wallets.slice(0, 3));
  });
});

describe('silo-v2 with an oracle that does not name its currency', () => {
  it('its positions are in dollars by an asset that a dollar oracle knows', async () => {
    const holders = testWallets(6, 0x9800);
    await openBy(holders, true);
    await markets.reader().readMarket(await local().head());
    const block = await local().head();
    const { positions, unreadable } = await markets.reader().readPositions(holders, block);
    expect(unreadable).toEqual([]);
    expect(new Set(positions.map(({ wallet }) => wallet))).toEqual(new Set(holders));
    expect(positions.every(isReadable)).toBe(true);
    const [position] = positions;
    const usd = (Number(position!.totalCollateralRaw) / 1e18) * (Number(position!.usdPerBaseRaw) / 1e18);
    const ether = position!.legs.find(({ symbol }) => symbol === 'WETH')!;
    expect(usd / ((Number(ether.amountRaw) / 1e18) * 2_500)).toBeCloseTo(1, 5);
  });

  it('an oracle that fails makes only the positions of its market unreadable', async () => {
    const [wallet] = markets.wallets;
    const oracle = await openBy([wallet!], true);
    await markets.reader().readMarket(await local().head());
    const { positions: before } = await markets.reader().readPositions([wallet!], await local().head());
    const snapshot = await local().rpc.request('evm_snapshot', []);
    await local().rpc.request('anvil_setCode', [oracle, '0x60006000fd']);
    await local().passTime(1);
    const { positions, unreadable } = await markets.reader().readPositions([wallet!], await local().head());
    expect(unreadable).toEqual([]);
    const failed = positions.filter((position) => !isReadable(position));
    expect(failed).toHaveLength(1);
    expect(positions.length).toBe(before.length);
    await local().rpc.request('evm_revert', [snapshot]);
  });
});
