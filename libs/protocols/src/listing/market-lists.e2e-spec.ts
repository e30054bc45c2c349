import { readFileSync } from 'node:fs';
import { type Artifact, dataOf, venusArtifacts } from '@plimsoll/devnet';
import type { BlockRef, ContractRow, ProtocolRegistry } from '@plimsoll/evm';
import { stringToHex, zeroAddress, type Address } from 'viem';
import { marketListsOf } from '../families';
import { standIns, type LocalChain } from '../../test/local-chain';
import { logIndex } from '../reader/log-index';
import { useLocalChain } from '../../test/use-local-chain';

/** A Comptroller of Venus is larger than Ethereum permits. */
const local = useLocalChain({ codeSizeLimitBytes: 60_000 });
const EMPTY: Address = `0x${'e0'.repeat(20)}`;

function registryOf(family: string, contracts: ContractRow): ProtocolRegistry {
  const protocol = { id: 'some', name: 'Some', family, category: 'lending', riskTier: 'low' } as const;
  return { chains: [], protocols: [{ ...protocol, chains: { '1': contracts } }] };
}

function listsOf(chain: LocalChain, family: string, contracts: ContractRow) {
  const { client, multicall } = chain;
  return marketListsOf(registryOf(family, contracts), { client, multicall, index: logIndex(client) });
}

/** A contract that Aave compiled and published. */
const aave = (name: string): Artifact =>
  JSON.parse(
    readFileSync(
      require.resolve(`@aave/core-v3/artifacts/contracts/protocol/configuration/${name}.sol/${name}.json`),
      'utf8',
    ),
  ) as Artifact;

const deploy = (name: string) => deployOf(standIns()[name]!);

async function deployOf(artifact: Artifact, args: readonly unknown[] = []) {
  const to = await local().deploy(artifact, args);
  const send = (functionName: string, ...own: readonly unknown[]): Promise<unknown> =>
    local().send([{ to, abi: artifact.abi, name: functionName, args: own, gas: 2_000_000n }]);
  return { to, send };
}

/** The registry of Venus, which sets the risk parameters of the pools that it adds. */
async function deployVenusRegistry() {
  const artifacts = venusArtifacts();
  const rights = await deployOf(artifacts.AccessControlManager);
  const proxied = async (
    name: 'PoolRegistry' | 'Comptroller',
    setUp: readonly unknown[],
    ...args: unknown[]
  ) => {
    const { to } = await deployOf(artifacts[name], args);
    const beacon = await deployOf(artifacts.UpgradeableBeacon, [to]);
    const { abi } = artifacts[name];
    const data = dataOf({ to, abi, name: 'initialize', args: setUp });
    const proxy = await deployOf(artifacts.BeaconProxy, [beacon.to, data]);
    const send = (method: string, ...own: readonly unknown[]): Promise<unknown> =>
      local().send([{ to: proxy.to, abi, name: method, args: own, gas: 2_000_000n }]);
    return { to: proxy.to, send };
  };
  const registry = await proxied('PoolRegistry', [rights.to]);
  const addPool = 'addPool(string,address,uint256,uint256,uint256)';
  await rights.send('giveCallPermission', zeroAddress, addPool, local().operator);
  for (const right of ['CloseFactor', 'LiquidationIncentive', 'MinLiquidatableCollateral'])
    await rights.send('giveCallPermission', zeroAddress, `set${right}(uint256)`, registry.to);
  const oracle = await deployOf(artifacts.MockPriceOracle);
  const openPool = async (name: string): Promise<Address> => {
    const pool = await proxied('Comptroller', [100n, rights.to], registry.to);
    await pool.send('setPriceOracle', oracle.to);
    await registry.send('addPool', name, pool.to, 5n * 10n ** 17n, 11n * 10n ** 17n, 10n ** 20n);
    return pool.to;
  };
  return { registry: registry.to, openPool };
}

async function later(seconds: number): Promise<BlockRef> {
  await local().passTime(seconds);
  return local().head();
}

const named = (index: number): Address => `0x${String(index).padStart(40, '0')}`;

describe('markets that a chain lists', () => {
  it('pools of Aave v3, without removed providers and those that have no pool', async () => {
    const registry = await deployOf(aave('PoolAddressesProviderRegistry'), [local().operator]);
    const POOL = stringToHex('POOL', { size: 32 });
    const providers: Address[] = [];
    for (const pool of [named(1), named(2), named(3), null]) {
      const provider = await deployOf(aave('PoolAddressesProvider'), ['test', local().operator]);
      if (pool) await provider.send('setAddress', POOL, pool);
      providers.push(provider.to);
    }
    for (const [index, provider] of [...providers, EMPTY].entries())
      await registry.send('registerAddressesProvider', provider, index + 1);
    await registry.send('unregisterAddressesProvider', providers[1]);
    const markets = { Known: { addressesProvider: providers[0] } };
    const lists = listsOf(local(), 'aave-v3', { addressesProviderRegistry: [registry.to], markets });
    const refreshed = await lists.refresh(await local().head());
    expect(refreshed?.added).toMatchObject([
      { family: 'aave-v3', market: providers[2], contracts: { addressesProvider: providers[2] } },
    ]);
  });

  it('isolated pools of Venus', async () => {
    const { registry, openPool } = await deployVenusRegistry();
    const [core, meme] = [await openPool('Core'), await openPool('Meme')];
    const contracts = { poolRegistry: registry, isolatedComptrollers: { Core: core } };
    const refreshed = await listsOf(local(), 'venus', contracts).refresh(await local().head());
    expect(refreshed?.added).toMatchObject([
      { family: 'venus-isolated', market: meme, contracts: { comptroller: meme } },
    ]);
  });
});

describe('the reads of a list', () => {
  it('find a market within an hour of its creation, and are at least half an hour apart', async () => {
    const factory = await deploy('MintFactory');
    const lists = listsOf(local(), 'llamma', { controllerFactory: factory.to, mintMarkets: {} });
    expect(await lists.refresh(await local().head())).toEqual({ added: [], failing: [] });
    await factory.send('add_market', named(41), named(42));
    expect(await lists.refresh(await later(1_700))).toBeNull();
    expect((await lists.refresh(await later(200)))?.added.map(({ market }) => market)).toEqual([named(41)]);
  });

  it('that fail keep the last list, are repeated after a minute, and count as incomplete after an hour', async () => {
    const factory = await deploy('MintFactory');
    await factory.send('add_market', named(51), named(52));
    const lists = listsOf(local(), 'llamma', { controllerFactory: factory.to, mintMarkets: {} });
    const root = { protocol: 'some', chainId: 1, market: 'controllerFactory' };
    const first = await local().head();
    expect(lists.incomplete(first.timestamp)).toMatchObject([{ row: root, reason: null }]);
    await lists.refresh(first);
    expect(lists.incomplete(first.timestamp)).toEqual([]);

    const code = await local().rpc.request('eth_getCode', [factory.to, 'latest']);
    await local().rpc.request('anvil_setCode', [factory.to, '0x60006000fd']);
    const failed = await lists.refresh(await later(1_900));
    expect(failed).toMatchObject({ added: [], failing: [{ row: root, reason: 'call_failed' }] });
    expect(lists.rows.map(({ market }) => market)).toEqual([named(51)]);
    expect(lists.incomplete(first.timestamp + 3_600n)).toEqual([]);
    expect(lists.incomplete(first.timestamp + 4_000n)).toMatchObject([{ reason: 'call_failed' }]);

    await local().rpc.request('anvil_setCode', [factory.to, code]);
    expect(await lists.refresh(await later(10))).toBeNull();
    expect(await lists.refresh(await later(60))).toEqual({ added: [], failing: [] });
  });

  it('of more markets than a list may have fail', async () => {
    const factory = await deploy('MintFactory');
    for (const index of [61, 62, 63]) await factory.send('add_market', named(index), named(index + 10));
    const registry = registryOf('llamma', { controllerFactory: factory.to, mintMarkets: {} });
    const { client, multicall } = local();
    const lists = marketListsOf(registry, { client, multicall }, { maxMarkets: 2 });
    expect(await lists.refresh(await local().head())).toMatchObject({
      added: [],
      failing: [{ reason: 'unknown_layout' }],
    });
  });
});
