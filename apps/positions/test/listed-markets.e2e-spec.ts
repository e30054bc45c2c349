import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PositionDetail, PositionScan } from '@plimsoll/contracts';
import {
  type Artifact,
  PACKAGES_FOLDER,
  SEED_PLANS,
  compileSolidity,
  connectAnvil,
  queuedChain,
} from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import type { Address } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const CONTRACTS = path.join(__dirname, '../../../test/contracts');
const OWNER: Address = `0x${'0a'.repeat(20)}`;
const HALF_AN_HOUR = 1_800;

/** A factory of mint markets of crvUSD that lists none yet, a market, and a registry with a proxy of the owner. */
async function addContracts(chain: ChainFixture) {
  const all = compileSolidity({
    compiler: 'solc',
    folders: [CONTRACTS, PACKAGES_FOLDER],
    entries: ['Accounts.sol', 'Llamma.sol', 'PriceFeed.sol', 'Roots.sol', 'Token.sol'],
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  }) as Record<string, Artifact>;
  const { operator } = chain.addresses;
  const { deploy, send } = queuedChain(connectAnvil(chain.node.url), operator);
  const coins = [await deploy(all['Token']!, ['crvUSD', 18]), await deploy(all['Token']!, ['WBTC', 8])];
  const feed = await deploy(all['PriceFeed']!, [90_000n * WAD, 18]);
  const market = await deploy(all['LlammaMarket']!, [...coins, feed]);
  const factory = await deploy(all['MintFactory']!);
  const registry = await deploy(all['DsProxyRegistry']!);
  const call = (to: Address, contract: string, name: string, ...args: readonly unknown[]) =>
    send([{ to, abi: all[contract]!.abi, name, args, gas: 3_000_000n }]);
  await call(registry, 'DsProxyRegistry', 'build', OWNER);
  return { call, market, factory, registry };
}

describe('markets and owners that the chain lists', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let contracts: Awaited<ReturnType<typeof addContracts>>;
  const me = identityOf('pro');
  const scan = async (): Promise<PositionScan> =>
    (await service.call<PositionScan>('POST', '/v1/positions/scan', me, { wallet: OWNER })).body;

  beforeAll(async () => {
    chain = await startChain(1, SEED_PLANS.slice(0, 1));
    contracts = await addContracts(chain);
    const overlay = JSON.parse(await readFile(chain.overlayPath, 'utf8'));
    overlay.chains[0].accounts = { dsProxyRegistry: contracts.registry };
    const root = { controllerFactory: contracts.factory, mintMarkets: {} };
    overlay.protocols.push({ id: 'crvusd', chains: { '1': root } });
    await writeFile(chain.overlayPath, JSON.stringify(overlay));
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await service.start();
    await waitFor(async () => (await scan()).unreadable?.length === 0, { message: 'the chain is read' });
  }, 180_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  it('a market that is created while the service runs is read without a restart, and a proxy belongs to its owner', async () => {
    const { call, market, factory, registry } = contracts;
    const proxy = await chain.rpc<string>('eth_call', [
      { to: registry, data: `0xc4552791${OWNER.slice(2).padStart(64, '0')}` },
      'latest',
    ]);
    const holder: Address = `0x${proxy.slice(26)}`;
    await call(market, 'LlammaMarket', 'set', [holder], [0n], [10n ** 8n], [50_000n * WAD]);
    await call(factory, 'MintFactory', 'add_market', market, market);
    expect((await scan()).positions).toEqual([]);
    await chain.rpc('evm_increaseTime', [HALF_AN_HOUR]);
    await chain.rpc('evm_mine', []);
    const found = await waitFor(async () => (await scan()).positions[0], {
      message: 'the loan in the new market',
      timeoutMs: 20_000,
    });
    expect(found).toMatchObject({ protocol: 'crvusd', market, proxy: { kind: 'ds-proxy' } });
    expect(found.wallet.toLowerCase()).toBe(OWNER);
    expect(found.proxy!.address.toLowerCase()).toBe(holder);
    expect(found.subId).toBe(`@${holder}`);

    const { body } = await service.call<PositionDetail>('GET', `/v1/positions/${found.id}`, me);
    expect(body).toMatchObject({ proxy: found.proxy, subId: found.subId });
    expect(body.debtAssets).toMatchObject([{ asset: 'crvUSD', priceUsd: 1 }]);

    await service.call('POST', '/v1/wallets', me, { address: OWNER });
    const event = await service.waitForPosition(OWNER, ({ protocol }) => protocol === 'crvusd');
    expect(event).toMatchObject({
      market,
      subId: `@${holder}`,
      proxy: { kind: 'ds-proxy', address: holder },
    });
  });
});
