import type { ChainV1 } from '@plimsoll/contracts';
import { DEVNET_MARKET, type SeedPlan, SEED_PLANS } from '@plimsoll/devnet';
import { collectEvents, waitFor } from '@plimsoll/testing';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture } from './service-fixture';

const PLANS: readonly SeedPlan[] = SEED_PLANS.slice(0, 4);

describe('chain.v1', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let chains: Awaited<ReturnType<typeof collectEvents<'chain.v1'>>>;

  beforeAll(async () => {
    chain = await startChain(1, PLANS);
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    chains = await collectEvents(
      { brokers: service.config.KAFKA_BROKERS.split(','), topicPrefix: service.config.KAFKA_TOPIC_PREFIX },
      'chain.v1',
    );
    await service.start();
  }, 120_000);
  afterAll(async () => {
    await chains.stop();
    await service.close();
    await chain.close();
  }, 60_000);

  const next = (fits: (state: ChainV1) => boolean, message: string): Promise<ChainV1> => {
    const from = chains.events.length;
    return waitFor(
      () => chains.events.slice(from).find(({ value }) => value !== null && fits(value))?.value ?? undefined,
      { timeoutMs: 20_000, message },
    );
  };

  it('has the head, the measured block time and the totals of the market', async () => {
    await chain.rpc('evm_mine', []);
    const first = await next(({ head, markets }) => head !== null && markets[0]?.totals != null, 'totals');
    expect(first).toMatchObject({ chainId: 1, lagBlocks: 0, heartbeatMs: 1_000 });
    expect(first.markets).toMatchObject([{ protocol: 'aave-v3', market: DEVNET_MARKET, failure: null }]);
    const { suppliedUsd = 0, borrowedUsd = 0, utilisation = 0 } = first.markets[0]?.totals ?? {};
    expect(borrowedUsd).toBeGreaterThan(0);
    expect(suppliedUsd).toBeGreaterThan(borrowedUsd);
    expect(utilisation).toBeGreaterThan(0);
    expect(utilisation).toBeLessThanOrEqual(1);
    await chain.rpc('evm_mine', []);
    const measured = await next(
      ({ avgBlockTime, lagBlocks }) => avgBlockTime !== null && lagBlocks === 0,
      'a measured block time',
    );
    expect(measured.avgBlockTime).toBeGreaterThanOrEqual(0);
    const { number, time } = measured.head!;
    expect(measured.markets[0]?.lastRead).toEqual({ number, time });
    expect(measured.eventLatency?.blocks).toBeGreaterThan(0);
  }, 60_000);

  it('reports that the chain is down while its node is down, and that it is back', async () => {
    chain.pause();
    try {
      expect((await next(({ status }) => status === 'down', 'the chain is down')).markets).toHaveLength(1);
      // Processing the last block again, from earlier reads, does not show that the node responds.
      for (let heartbeat = 0; heartbeat < 3; heartbeat += 1) {
        expect((await next(() => true, 'a heartbeat')).status).toBe('down');
      }
    } finally {
      chain.resume();
    }
    await chain.rpc('evm_mine', []);
    await next(({ status }) => status !== 'down', 'the chain is back');
  }, 60_000);
});
