import type { AccountRegistries } from '@plimsoll/evm';
import type { Address } from 'viem';
import { standIns, testWallets } from '../../test/local-chain';
import { logIndex } from '../reader/log-index';
import { useLocalChain } from '../../test/use-local-chain';
import { liquityV1 } from '../liquity-v1/reader';
import { FamilyReader } from '../reader/family-reader';
import { isReadable, type RawPosition } from '../reader/raw-position';
import { OwnerProxies } from './owner-proxies';
import { ProxiedReader } from './proxied-reader';

const WAD = 10n ** 18n;
const PRICE = 2_500n * WAD;
const local = useLocalChain();
const [anna, ben, carl, stranger, account, shared, dpm] = testWallets(7, 0x7000) as Address[] as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];

interface Scene {
  troves: Address;
  registries: Required<AccountRegistries>;
  dsProxy: Address;
}
let scene: Scene;

const send = (to: Address, contract: string, name: string, ...args: readonly unknown[]): Promise<unknown> =>
  local().send([{ to, abi: standIns()[contract]!.abi, name, args, gas: 3_000_000n }]);

/** A reader of its own, so that it keeps no proxies of another test. */
function readerOf(registries: AccountRegistries = scene.registries) {
  const { client, multicall } = local();
  const contracts = { troveManager: scene.troves };
  const row = { protocol: 'liquity-v1', family: 'liquity-v1', chainId: 1, market: 'liquity-v1', contracts };
  const inner = new FamilyReader(liquityV1, row, { client, multicall });
  return new ProxiedReader(inner, new OwnerProxies(registries, 1, { multicall, index: logIndex(client) }));
}

beforeAll(async () => {
  const all = standIns();
  const deploy = (name: string, args: readonly unknown[] = []) => local().deploy(all[name]!, args);
  const [dsProxyRegistry, instadappResolver] = [
    await deploy('DsProxyRegistry'),
    await deploy('InstadappResolver'),
  ];
  const summerGuard = await deploy('SummerGuard');
  const summerFactory = await deploy('SummerFactory', [summerGuard]);
  await send(dsProxyRegistry, 'DsProxyRegistry', 'build', anna);
  await send(instadappResolver, 'InstadappResolver', 'addAuth', anna, account);
  for (const authority of [anna, ben])
    await send(instadappResolver, 'InstadappResolver', 'addAuth', authority, shared);
  await send(summerFactory, 'SummerFactory', 'createAccount', anna, dpm);
  const abi = all['DsProxyRegistry']!.abi;
  const [proxy] = (await local().readMany(
    [{ to: dsProxyRegistry, abi, name: 'proxies', args: [anna] }],
    await local().head(),
  )) as Address[];
  const dsProxy = proxy!.toLowerCase() as Address;
  const troves = await deploy('LiquityTroves', [PRICE]);
  const owners = [anna, dsProxy, account, shared, dpm, local().operator];
  const debts = owners.map((_, index) => BigInt(1_000 + index) * WAD);
  await send(
    troves,
    'LiquityTroves',
    'set',
    owners,
    owners.map(() => 4n * WAD),
    debts,
  );
  const registries = { dsProxyRegistry, instadappResolver, summerFactory, summerGuard };
  scene = { troves, registries, dsProxy };
}, 60_000);

const byProxy = (positions: readonly RawPosition[]) =>
  positions.map(({ wallet, subId, proxy, totalDebtRaw }) => ({ wallet, subId, proxy, totalDebtRaw }));
const of = (wallet: Address, kind: string | null, address: Address, debt: number) => ({
  wallet,
  subId: kind ? `@${address}` : '',
  proxy: kind ? { kind, address } : undefined,
  totalDebtRaw: BigInt(debt) * WAD,
});

describe('positions that proxies hold', () => {
  it('belong to the wallet that owns the proxy, and name it, beside its own', async () => {
    const { positions, unreadable } = await readerOf().readPositions([anna, ben], await local().head());
    expect(unreadable).toEqual([]);
    expect(byProxy(positions)).toEqual(
      expect.arrayContaining([
        of(anna, null, anna, 1_000),
        of(anna, 'ds-proxy', scene.dsProxy, 1_001),
        of(anna, 'instadapp', account, 1_002),
        of(anna, 'instadapp', shared, 1_003),
        of(ben, 'instadapp', shared, 1_003),
        of(anna, 'summer', dpm, 1_004),
      ]),
    );
    expect(positions).toHaveLength(6);
  });

  it('are the same when accounts are evaluated and confirmed', async () => {
    const reader = readerOf();
    const block = await local().head();
    const { accounts } = await reader.readAccounts([anna, ben], block);
    const market = await reader.readMarket(block);
    const evaluated = [...accounts.values()].flatMap((each) => reader.evaluate(market, each)!);
    expect(evaluated).toHaveLength(6);
    const confirmed = await reader.confirm(evaluated, block);
    expect(confirmed.mismatches).toEqual([]);
    const { positions } = await reader.readPositions([anna, ben], block);
    expect(byProxy(confirmed.positions)).toEqual(expect.arrayContaining(byProxy(positions)));
    expect(confirmed.positions).toHaveLength(6);
  });

  it('a log of a proxy names its owners whose accounts are followed', async () => {
    const reader = readerOf();
    const before = await local().head();
    await reader.readMarket(before);
    await reader.readAccounts([anna], before);
    // A single read, such as a scan, is not followed. Scans of many wallets would fill the memory.
    await reader.readPositions([ben], before);
    const snapshot = await local().rpc.request('evm_snapshot', []);
    const { LiquityOperations, LiquityTroves } = standIns();
    const [operations] = (await local().readMany(
      [{ to: scene.troves, abi: LiquityTroves!.abi, name: 'borrowerOperationsAddress' }],
      before,
    )) as Address[];
    const open = { to: operations!, abi: LiquityOperations!.abi, name: 'openTrove', from: shared };
    await local().send([{ ...open, args: [10n * WAD, 2_000n * WAD] }]);
    const after = await local().head();
    const market = reader.readMarket(after);
    const touched = await reader.readTouchedWallets(before.number + 1n, after.number, market);
    expect(touched).toEqual({ opened: [shared, anna] });
    await local().rpc.request('evm_revert', [snapshot]);
  });

  it('a proxy that was given away belongs to its new owner where the chain states it', async () => {
    const snapshot = await local().rpc.request('evm_snapshot', []);
    await send(scene.dsProxy, 'DsProxy', 'setOwner', stranger);
    await send(scene.registries.summerGuard, 'SummerGuard', 'changeOwner', carl, dpm);
    const { positions } = await readerOf().readPositions([anna, carl], await local().head());
    const kinds = positions.map(({ wallet, proxy }) => [wallet, proxy?.kind ?? null]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        [anna, null],
        [anna, 'instadapp'],
        [carl, 'summer'],
      ]),
    );
    expect(positions).toHaveLength(4);
    await local().rpc.request('evm_revert', [snapshot]);
  });

  it('a registry that cannot be read makes positions behind proxies unknown, and no others', async () => {
    const registries = { instadappResolver: scene.troves };
    const { positions, unreadable } = await readerOf(registries).readPositions([anna], await local().head());
    expect(unreadable).toEqual([]);
    expect(positions.filter(isReadable).map(({ subId }) => subId)).toEqual(['']);
    expect(positions.filter((each) => !isReadable(each)).map(({ subId }) => subId)).toEqual(['@']);
  });

  it('more accounts than are read, which anyone can add, leave the others unknown and hide nothing', async () => {
    const snapshot = await local().rpc.request('evm_snapshot', []);
    for (const added of testWallets(40, 0x9000))
      await send(scene.registries.instadappResolver, 'InstadappResolver', 'addAuth', anna, added);
    const { positions } = await readerOf().readPositions([anna], await local().head());
    expect(positions.filter(isReadable).map(({ proxy }) => proxy?.kind ?? null)).toEqual(
      expect.arrayContaining([null, 'ds-proxy', 'instadapp', 'summer']),
    );
    expect(positions.filter((each) => !isReadable(each)).map(({ subId }) => subId)).toEqual(['@']);
    await local().rpc.request('evm_revert', [snapshot]);
  });
});
