import type { PositionList } from '@plimsoll/contracts';
import { SEED_PLANS } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import type { ChainFixture } from './chain-fixture';
import { type ServiceFixture, identityOf } from './service-fixture';
import { startTwoChains } from './two-chains-fixture';

jest.setTimeout(30_000);

describe('two chains', () => {
  let chains: ChainFixture[];
  let service: ServiceFixture;
  const me = identityOf('pro');
  const list = async (): Promise<PositionList> => {
    const wallet = chains[0]?.wallets[0]?.address;
    return (await service.call<PositionList>('GET', `/v1/positions?wallet=${wallet}`, me)).body;
  };

  beforeAll(async () => {
    ({ chains, service } = await startTwoChains(SEED_PLANS.slice(0, 1)));
    await service.start();
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await Promise.all((chains ?? []).map((chain) => chain.close()));
  }, 60_000);

  it('a wallet has a position on each chain, and the response names the block of each', async () => {
    await waitFor(async () => (await list()).positions.length === 2, { message: 'both are read' });
    const { positions, asOfBlock, unreadable } = await list();
    expect(new Set(positions.map(({ chainId }) => chainId))).toEqual(new Set([1, 42161]));
    expect(new Set(positions.map(({ id }) => id)).size).toBe(2);
    expect(Object.keys(asOfBlock)).toEqual(['1', '42161']);
    expect(unreadable).toEqual([]);
  });

  it('lists the chain that is down, and returns the other', async () => {
    chains[1]?.pause();
    const degraded = await waitFor(
      async () => {
        const response = await list();
        return response.unreadable.length > 0 && response;
      },
      { message: 'the health check reports unreadable', timeoutMs: 40_000 },
    );
    expect(degraded.unreadable.map(({ chainId }) => chainId)).toEqual([42161]);
    expect(degraded.positions.filter(({ chainId }) => chainId === 1)).toHaveLength(1);
    chains[1]?.resume();
  }, 60_000);
});
