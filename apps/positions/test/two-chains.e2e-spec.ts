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
  const list = async (filter = ''): Promise<PositionList> => {
    const wallet = chains[0]?.wallets[0]?.address;
    return (await service.call<PositionList>('GET', `/v1/positions?wallet=${wallet}${filter}`, me)).body;
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

  it('lists those that match every filter, in the order of sort', async () => {
    const { positions } = await list();
    const [first] = positions;
    const { healthFactor, totalDebtUsd, riskLevel, protocol } = first!;
    expect(healthFactor).not.toBeNull();
    const counts = await Promise.all(
      [
        '&chainId=42161',
        '&chainId=8453',
        `&protocol=${protocol}`,
        '&protocol=other',
        `&riskLevel=${riskLevel}`,
        `&maxHealthFactor=${healthFactor! + 1}`,
        '&maxHealthFactor=0.01',
        `&minDebtUsd=${totalDebtUsd / 2}`,
        '&minDebtUsd=1e12',
        `&chainId=1&protocol=${protocol}&minDebtUsd=1&sort=totalDebtUsd`,
      ].map(async (filter) => (await list(filter)).positions.length),
    );
    expect(counts).toEqual([1, 0, 2, 0, 2, 2, 0, 2, 0, 1]);
    const byDebt = (await list('&sort=totalDebtUsd')).positions.map((position) => position.totalDebtUsd);
    expect(byDebt).toEqual(byDebt.toSorted((a, b) => b - a));
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
