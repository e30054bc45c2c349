import { stringToHex, type Address } from 'viem';
import { describeFamily } from '../../../test/describe-family';
import { expectTotalsOf } from '../../../test/expect-totals';
import { amountsFrom, standIns } from '../../../test/local-chain';
import { inParts, useLocalChain } from '../../../test/use-local-chain';
import { maker } from './maker';

const WAD = 10n ** 18n;
const RAY = 10n ** 27n;
const ETH_A = stringToHex('ETH-A', { size: 32 });
const OLD_A = stringToHex('RETIRED-A', { size: 32 });
const PRICE = 2_513_771_234_567_890_123_456n;

const local = useLocalChain();
const vaults = describeFamily('maker', maker, local, async (chain, wallets) => {
  const { MakerJug, MakerManager, MakerSpotter, MakerVat, Token } = standIns();
  const vat = await chain.deploy(MakerVat!);
  const [jug, spot] = [await chain.deploy(MakerJug!, [vat]), await chain.deploy(MakerSpotter!, [vat])];
  const manager = await chain.deploy(MakerManager!, [vat]);
  const [weth, dai] = [await chain.deploy(Token!, ['WETH', 18]), await chain.deploy(Token!, ['DAI', 18])];
  const call = { to: manager, abi: MakerManager!.abi };
  const file = { to: vat, abi: MakerVat!.abi, name: 'file' };
  await chain.send([
    // Rates of 3.1 and 12.7 percent a year, of which some is written down already; ratios of 145 and 170 percent.
    { ...file, args: [ETH_A, (RAY * 11n) / 10n, RAY + 968_094_123_456_789_012n, (RAY * 29n) / 20n, PRICE] },
    { ...file, args: [OLD_A, RAY, RAY + 3_791_234_567_890_123_456n, (RAY * 17n) / 10n, PRICE / 13n] },
    { ...call, name: 'setGem', args: [ETH_A, weth] },
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
  return {
    contracts: {
      vat,
      jug,
      spot,
      dai,
      cdpManager: manager,
      getCdps: manager,
      proxyRegistry: manager,
      ilkRegistry: manager,
    },
    figures: call,
    figuresArgs: ({ subId }) => [BigInt(subId)],
    heart: manager,
  };
});

describe('maker totals', () => {
  it('are those of all vaults of the ilks that the registry lists', async () => {
    const block = await local().head();
    const { positions } = await vaults.reader().readPositions(vaults.wallets, block);
    const listed = positions.filter(({ legs }) => legs.some(({ symbol }) => symbol === 'WETH'));
    const debts = positions.filter(({ legs }) => legs.every(({ symbol }) => symbol === 'DAI'));
    expect(debts).toEqual([]);
    expectTotalsOf(await vaults.reader().readTotals(block), listed);
  });
});

describe('maker vaults behind proxies', () => {
  const read = async (wallets: readonly Address[]) =>
    (await vaults.reader().readPositions(wallets, await local().head())).positions;

  it('are those of the owner, with their collateral by its name where no registry knows its token', async () => {
    const positions = await read(vaults.wallets);
    expect(positions.length).toBe(vaults.wallets.length + 60);
    const symbols = new Set(positions.map(({ legs }) => legs[0]!.symbol));
    expect(symbols).toEqual(new Set(['WETH', 'RETIRED']));
  });

  it('a proxy that was given away is nobody’s whom the registry still names', async () => {
    const [wallet] = vaults.wallets;
    const { figures } = vaults.standIn();
    const [proxy] = (await local().readMany(
      [{ ...figures, name: 'proxies', args: [wallet] }],
      await local().head(),
    )) as Address[];
    const abi = standIns()['MakerProxy']!.abi;
    await local().send([{ to: proxy!, abi, name: 'setOwner', args: [local().operator] }]);
    expect((await read([wallet!])).map(({ legs }) => legs[0]!.symbol)).toEqual(['WETH']);
  });
});
