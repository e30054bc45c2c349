import type { WhaleClusterAnswer, WhaleClusterItem, WhaleClusterList } from '@plimsoll/contracts';
import { type SeededFamilies, assetListing, seedFamilies } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { WETH, actor } from './scripted-day';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(60_000);

const poolAbi = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
]);
const tokenAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

let chain: ChainFixture;
let seeded: SeededFamilies;
let service: ServiceFixture;

type Cluster = WhaleClusterAnswer['cluster'];

async function readClusters(): Promise<Cluster[]> {
  const { body } = await service.get<WhaleClusterList>('/v1/whales/clusters');
  return Promise.all(body.clusters.map(({ id }) => readCluster(id)));
}

async function readCluster(id: string): Promise<Cluster> {
  return (await service.get<WhaleClusterAnswer>(`/v1/whales/clusters/${id}`)).body.cluster;
}

const walletsOf = ({ wallets }: Cluster): string[] => wallets.map(({ wallet }) => wallet).sort();

/** Returns the clusters computed from everything up to the newest block. */
async function settled(): Promise<Cluster[]> {
  await service.indexedTo(await chain.head());
  const since = Date.now();
  return waitFor(
    async () => {
      const clusters = await readClusters().catch(() => []);
      return (
        clusters.length > 0 &&
        clusters.every(({ updatedAt }) => Date.parse(updatedAt) > since + 500) &&
        clusters
      );
    },
    { timeoutMs: 20_000, message: 'clusters computed after the newest block' },
  );
}

beforeAll(async () => {
  chain = await startChain();
  seeded = await seedFamilies(chain.node.url, chain.addresses);
  service = await ServiceFixture.create([chain.endpoint], chain.overlayPath, { CLUSTER_INTERVAL_MS: 200 });
  await service.start();
});

afterAll(async () => {
  await service?.close();
  await chain?.close();
});

describe('GET /v1/whales/clusters', () => {
  it('lists each family of the local market, and no other wallet', async () => {
    const found = (await settled()).map(walletsOf);
    expect(found.sort()).toEqual(seeded.families.map((family) => [...family].sort()).sort());
  });

  it('lists the highest value first, by the holdings of its wallets in the contracts', async () => {
    const { body } = await service.get<WhaleClusterList>('/v1/whales/clusters');
    expect(body.clusters.map(({ walletCount }) => walletCount)).toEqual([6, 4, 3]);
    const [first] = body.clusters;
    // Six supplies, and one that was paid for another wallet, of 200 WETH each.
    const wethUsd = Number(assetListing('WETH').priceUsd) / 1e8;
    expect(first?.totalValueUsd).toBeCloseTo(7 * 200 * wethUsd, -3);
    expect(first?.dominantProtocol).toBe('aave-v3');
  });

  it('lists page by page', async () => {
    const items: WhaleClusterItem[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const url: string = `/v1/whales/clusters?limit=1${cursor && `&cursor=${cursor}`}`;
      const { body } = await service.get<WhaleClusterList>(url);
      items.push(...body.clusters);
      cursor = body.nextCursor;
    }
    expect(items.map(({ walletCount }) => walletCount)).toEqual([6, 4, 3]);
  });
});

describe('GET /v1/whales/clusters/:id', () => {
  it('lists the evidence that joins its wallets', async () => {
    const [first] = await settled();
    const kinds = new Set(first?.evidence.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['acting_for', 'first_funder', 'position_transfer']);
    for (const { wallets } of first?.evidence ?? []) {
      for (const wallet of wallets) expect(walletsOf(first!)).toContain(wallet);
    }
  });

  it('404 for a cluster that does not exist', async () => {
    const { status } = await service.get('/v1/whales/clusters/wc_0000000000000000000000');
    expect(status).toBe(404);
  });

  it('keeps the id when wallets join and after a restart, and the id of the larger family after a merge', async () => {
    const before = await settled();
    const [large, small] = [6, 3].map((count) => before.find(({ walletCount }) => walletCount === count)!);
    const owned = actor(9);
    const owner = large!.wallets[0]!.wallet.toLowerCase();
    // A contract wallet that returns its owner for every call.
    await chain.rpc.request('anvil_setCode', [owned, `0x73${owner.slice(2)}60005260206000f3`]);
    const supply = encodeFunctionData({
      abi: poolAbi,
      functionName: 'supply',
      args: [chain.token('WETH'), 5n * WETH, owned, 0],
    });
    const payer = actor(8);
    await chain.fund('WETH', 100n * WETH, payer);
    await chain.send(payer, chain.addresses.pool, supply);
    await settled();
    await service.stop();
    await service.start();
    const grown = (await settled()).find(({ id }) => id === large!.id);
    expect(grown?.evidence.some(({ kind, weight }) => kind === 'owner' && weight === 1)).toBe(true);
    expect(grown?.wallets.map(({ wallet }) => wallet.toLowerCase())).toContain(owned);

    const aToken = chain.addresses.assets['WETH']!.aToken;
    for (const from of small!.wallets) {
      for (const { wallet: to } of large!.wallets.slice(0, 4)) {
        const data = encodeFunctionData({
          abi: tokenAbi,
          functionName: 'transfer',
          args: [to as Address, WETH],
        });
        await chain.send(from.wallet as Address, aToken, data);
      }
    }
    const after = await settled();
    expect(after.find(({ id }) => id === large!.id)?.walletCount).toBeGreaterThanOrEqual(10);
    expect(after.map(({ id }) => id)).not.toContain(small!.id);
  });
});
