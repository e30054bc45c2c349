import { stringToHex, type Address, type Hex } from 'viem';
import { describeFamily } from '../../test/describe-family';
import { expectTotalsOf } from '../../test/expect-totals';
import { amountsFrom, standIns } from '../../test/local-chain';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { FamilyReader } from '../reader/family-reader';
import { maker } from './reader';

const WAD = 10n ** 18n;
const RAY = 10n ** 27n;
const ETH_A = stringToHex('ETH-A', { size: 32 });
const OLD_A = stringToHex('RETIRED-A', { size: 32 });
const PRICE = 2_513_771_234_567_890_123_456n;
/** The ilks of the two engines of lockstake, with the price of MKR and of SKY. */
const [LSE_MKR, LSE_SKY] = [stringToHex('LSE-MKR-A', { size: 32 }), stringToHex('LSEV2-SKY-A', { size: 32 })];
const [MKR_PRICE, SKY_PRICE] = [1_512_345_678_901_234_567_890n, 63_012_345_678_901_234n];

const local = useLocalChain();
const vaults = describeFamily('maker', maker, local, async (chain, wallets) => {
  const { MakerDog, MakerJug, MakerManager, MakerSpotter, MakerVat, Token, ...rest } = standIns();
  const vat = await chain.deploy(MakerVat!);
  const [jug, spot] = [await chain.deploy(MakerJug!, [vat]), await chain.deploy(MakerSpotter!, [vat])];
  const dog = await chain.deploy(MakerDog!);
  const manager = await chain.deploy(MakerManager!, [vat]);
  const [weth, dai] = [await chain.deploy(Token!, ['WETH', 18]), await chain.deploy(Token!, ['DAI', 18])];
  const call = { to: manager, abi: MakerManager!.abi };
  const file = { to: vat, abi: MakerVat!.abi, name: 'file' };
  await chain.send([
    // Rates of 3.1 and 12.7 percent a year, partly accrued already. Ratios of 145 and 170 percent.
    { ...file, args: [ETH_A, (RAY * 11n) / 10n, RAY + 968_094_123_456_789_012n, (RAY * 29n) / 20n, PRICE] },
    { ...file, args: [OLD_A, RAY, RAY + 3_791_234_567_890_123_456n, (RAY * 17n) / 10n, PRICE / 13n] },
    { ...call, name: 'setGem', args: [ETH_A, weth] },
    { ...file, args: [LSE_MKR, RAY, RAY + 1_243_680_656_318_820_312n, (RAY * 2n) / 1n, MKR_PRICE] },
    {
      ...file,
      args: [LSE_SKY, (RAY * 21n) / 20n, RAY + 3_022_265_980_097_387_650n, (RAY * 5n) / 4n, SKY_PRICE],
    },
    { ...call, name: 'setJoinless', args: [LSE_MKR, await chain.deploy(Token!, ['MKR', 18])] },
    { ...call, name: 'setJoinless', args: [LSE_SKY, await chain.deploy(Token!, ['SKY', 18])] },
  ]);
  const { amount, chance, below } = amountsFrom(61);
  const book = (price: bigint) => {
    const inks = wallets.map(() => amount(18));
    const arts = inks.map((ink) => (chance(0.85) ? below((ink * price) / WAD) : 0n));
    return [wallets, inks, arts] as const;
  };
  const proxied = wallets.slice(0, 60);
  const cut = (lists: readonly (readonly unknown[])[]) => lists.map((list) => list.slice(0, proxied.length));
  await chain.send([
    ...inParts({ ...call, name: 'build' }, [], [proxied]),
    ...inParts({ ...call, name: 'open' }, [ETH_A, false], book(PRICE)),
    ...inParts({ ...call, name: 'open' }, [OLD_A, true], cut(book(PRICE / 13n))),
  ]);
  const usds = await chain.deploy(Token!, ['USDS', 18]);
  const engine = async (name: string, ilk: Hex, price: bigint, owners: readonly Address[]) => {
    const { abi } = rest[name]!;
    const address = await chain.deploy(rest[name]!, [vat, ilk, usds]);
    const lists = book(price).map((list) => list.slice(0, owners.length));
    await chain.send(inParts({ to: address, abi, name: 'open' }, [], [owners, ...lists.slice(1)]));
    return address;
  };
  const [lockstakeProxy] = (await chain.readMany(
    [{ ...call, name: 'proxies', args: [wallets[1]] }],
    await chain.head(),
  )) as Address[];
  // Some have two urns in one engine, some one in each, and one owns its urn through its proxy.
  const staking = [...wallets.slice(60, 100), ...wallets.slice(60, 70), lockstakeProxy!];
  const lockstakeEngine = await engine('MakerEngineOfSky', LSE_SKY, SKY_PRICE, staking);
  const lockstakeEngineV1 = await engine('MakerEngineOfMkr', LSE_MKR, MKR_PRICE, wallets.slice(90, 110));
  return {
    contracts: {
      lockstakeEngine,
      lockstakeEngineV1,
      vat,
      jug,
      spot,
      dog,
      dai,
      cdpManager: manager,
      getCdps: manager,
      proxyRegistry: manager,
      ilkRegistry: manager,
    },
    call,
    heart: manager,
  };
});

/** The urns of both engines. */
const STAKED = 51 + 20;

describe('maker totals', () => {
  it('are those of all vaults of the ilks that the registry lists', async () => {
    const block = await local().head();
    const { positions } = await vaults.reader().readPositions(vaults.wallets, block);
    const listed = positions.filter(({ legs }) => legs.every(({ symbol }) => symbol !== 'RETIRED'));
    const debts = positions.filter(({ legs }) => legs.every(({ side }) => side === 'debt'));
    expect(debts).toEqual([]);
    expectTotalsOf(await vaults.reader().readTotals(block), listed);
  });
});

describe('maker vaults behind proxies', () => {
  const read = async (wallets: readonly Address[]) =>
    (await vaults.reader().readPositions(wallets, await local().head())).positions;

  it("belong to the owner, with the collateral's name if the registry does not have its token", async () => {
    const positions = await read(vaults.wallets);
    expect(positions.length).toBe(vaults.wallets.length + 60 + STAKED);
    const symbols = new Set(positions.map(({ legs }) => legs[0]!.symbol));
    expect(symbols).toEqual(new Set(['WETH', 'RETIRED', 'SKY', 'MKR']));
  });
});

describe('maker urns of lockstake', () => {
  it('are named by their addresses, secured by the staked token, and owe USDS', async () => {
    const { positions } = await vaults.reader().readPositions(vaults.wallets, await local().head());
    const staked = positions.filter(({ subId }) => subId.startsWith('0x'));
    expect(staked).toHaveLength(STAKED);
    expect(new Set(staked.map(({ subId }) => subId)).size).toBe(STAKED);
    const legs = staked.flatMap((position) => position.legs);
    const symbolsOf = (side: string) =>
      new Set(legs.filter((leg) => leg.side === side).map(({ symbol }) => symbol));
    expect(symbolsOf('collateral')).toEqual(new Set(['SKY', 'MKR']));
    expect(symbolsOf('debt')).toEqual(new Set(['USDS']));
    const others = positions.filter(({ subId }) => !subId.startsWith('0x')).flatMap((each) => each.legs);
    expect(others.some(({ symbol }) => symbol === 'USDS')).toBe(false);
  });

  it('are all urns that a wallet opened, including those of its proxy', async () => {
    const countOf = async (wallet: Address): Promise<number> => {
      const { positions } = await vaults.reader().readPositions([wallet], await local().head());
      return positions.filter(({ subId }) => subId.startsWith('0x')).length;
    };
    const at = (index: number): Address => vaults.wallets[index]!;
    const counts = await Promise.all([1, 2, 60, 80, 95, 105, 115].map((index) => countOf(at(index))));
    expect(counts).toEqual([1, 0, 2, 1, 2, 1, 0]);
  });

  it('an engine that cannot be read: its wallets are unreadable, not without positions', async () => {
    const { rpc } = local();
    const snapshot = await rpc.request('evm_snapshot', []);
    const { lockstakeEngine } = vaults.deployed().contracts as { lockstakeEngine: Address };
    await rpc.request('anvil_setCode', [lockstakeEngine, '0x60006000fd']);
    await local().passTime(1);
    const [wallet] = vaults.wallets.slice(60);
    const read = await vaults.reader().readPositions([wallet!], await local().head());
    expect(read.positions).toEqual([]);
    expect(read.unreadable.flatMap(({ wallets }) => wallets)).toEqual([wallet]);
    await rpc.request('evm_revert', [snapshot]);
  });
});

describe('maker urns of the vat itself', () => {
  it('are found under the address of a wallet, of its proxy, and of its urn proxy for a CropJoin', async () => {
    const { rpc, client, multicall } = local();
    const snapshot = await rpc.request('evm_snapshot', []);
    const { MakerCropper, MakerVat } = standIns();
    const { contracts, call } = vaults.deployed();
    const cropper = await local().deploy(MakerCropper!);
    const [, wallet] = vaults.wallets;
    const urnProxy: Address = `0x${'c0'.repeat(20)}`;
    const [proxy] = (await local().readMany(
      [{ ...call, name: 'proxies', args: [wallet] }],
      await local().head(),
    )) as Address[];
    const ink = [10n * WAD, 20n * WAD, 30n * WAD];
    const urns = [wallet!, proxy!.toLowerCase() as Address, urnProxy];
    await local().send([
      { to: cropper, abi: MakerCropper!.abi, name: 'setProxy', args: [wallet, urnProxy] },
      {
        to: contracts['vat'] as Address,
        abi: MakerVat!.abi,
        name: 'set',
        args: [ETH_A, urns, ink, ink],
        gas: 2_000_000n,
      },
    ]);
    const row = {
      protocol: 'maker',
      family: 'maker',
      chainId: 1,
      market: 'maker',
      contracts: { ...contracts, cropper },
    };
    const reader = new FamilyReader(maker, row, { client, multicall });
    const { positions } = await reader.readPositions([wallet!], await local().head());
    const raw = positions.filter(({ subId }) => subId.startsWith('ETH-A:'));
    expect(raw.map(({ subId, legs, proxy: by }) => [subId, legs[0]!.amountRaw, by?.address])).toEqual([
      [`ETH-A:${urns[0]}`, ink[0], undefined],
      [`ETH-A:${urnProxy}`, ink[2], undefined],
      [`ETH-A:${urns[1]}`, ink[1], urns[1]],
    ]);
    await rpc.request('evm_revert', [snapshot]);
  });
});

describe('maker vaults of proxies', () => {
  it('name the proxy, and keep their number as sub-id', async () => {
    const { positions } = await vaults
      .reader()
      .readPositions(vaults.wallets.slice(1, 60), await local().head());
    const behind = positions.filter(({ proxy }) => proxy !== undefined);
    expect(behind.length).toBe(60);
    expect(new Set(behind.map(({ proxy }) => proxy!.kind))).toEqual(new Set(['ds-proxy']));
    expect(behind.every(({ subId }) => !subId.includes('@'))).toBe(true);
  });
});
