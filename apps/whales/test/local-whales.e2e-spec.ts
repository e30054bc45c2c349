import type { WhaleActivityList, WhaleClusterAnswer, WhaleClusterList } from '@plimsoll/contracts';
import { ACTORS, EXCHANGE, TREASURIES, WhaleSimulation } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture } from './service-fixture';

jest.setTimeout(180_000);

const STEPS = 250;
/** Seconds between two acts, as on the local market. */
const SECONDS = 6;

let chain: ChainFixture;
let service: ServiceFixture;

/** The wallets of a family with their treasury, as clusters list them. */
const families = [...TREASURIES].map(([family, treasury]) =>
  [treasury, ...ACTORS.filter((actor) => actor.family === family)].map(({ address }) => address).sort(),
);

beforeAll(async () => {
  chain = await startChain();
  const whales = new WhaleSimulation({ rpcUrl: chain.node.url, addresses: chain.addresses, seed: 2 });
  for (let count = 0; count < STEPS; count += 1) {
    await chain.rpc.request('evm_increaseTime', [SECONDS]);
    await whales.step();
  }
  service = await ServiceFixture.create([chain.endpoint], chain.overlayPath, {
    WHALE_THRESHOLD_USD: 250_000,
    CLUSTER_INTERVAL_MS: 200,
  });
  await service.start();
  await service.indexedTo(await chain.head());
});

afterAll(async () => {
  await service?.close();
  await chain?.close();
});

describe('the whales of the local market', () => {
  it('are in the list and the stream, without the deployer and the exchange', async () => {
    const { body } = await service.get<WhaleActivityList>('/v1/whales/activity?limit=200&minUsd=0');
    const wallets = new Set(body.activity.map(({ wallet }) => wallet));
    expect([...wallets].sort()).toEqual(ACTORS.map(({ address }) => address).sort());
    await waitFor(() => service.events.length >= body.count, { message: 'all are published' });
    const silent = new Set([chain.addresses.operator, EXCHANGE.address].map((each) => each.toLowerCase()));
    expect(service.events.some(({ value }) => silent.has(value?.wallet ?? ''))).toBe(false);
  });

  it('are joined to their families by at least three kinds of evidence, without other wallets', async () => {
    const read = async (): Promise<WhaleClusterAnswer['cluster'][]> => {
      const { body } = await service.get<WhaleClusterList>('/v1/whales/clusters');
      const responses = await Promise.all(
        body.clusters.map(({ id }) => service.get<WhaleClusterAnswer>(`/v1/whales/clusters/${id}`)),
      );
      return responses.flatMap(({ status, body: { cluster } }) => (status === 200 ? [cluster] : []));
    };
    const clusters = await waitFor(
      async () => {
        const found = await read();
        return found.length === families.length && found;
      },
      { timeoutMs: 30_000, message: 'the families' },
    );
    const members = clusters.map(({ wallets }) => wallets.map(({ wallet }) => wallet).sort());
    expect(members.sort()).toEqual([...families].sort());
    const kinds = new Set(clusters.flatMap(({ evidence }) => evidence.map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining(['first_funder', 'position_transfer', 'synchronous']),
    );
    expect(kinds.has('same_block')).toBe(false);
  });
});
