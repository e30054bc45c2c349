import { type CovarianceV1, type PositionList, positionId } from '@plimsoll/contracts';
import { DEVNET_MARKET } from '@plimsoll/devnet';
import { outgoing } from '@plimsoll/event-bus';
import { type EventPublisher, startPublisher, waitFor } from '@plimsoll/testing';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(30_000);

/** Every stable coin moves independently, with this daily deviation. */
function covariance(version: number, dailyDeviation: number): CovarianceV1 {
  const assets = ['USDC', 'DAI', 'USDT'];
  const matrix = assets.map((_, i) => assets.map((_other, j) => (i === j ? dailyDeviation ** 2 : 0)));
  return {
    returns: 'daily_log',
    asOf: '2026-11-20',
    version,
    historySource: 'local-market',
    assets,
    today: matrix,
    longRun: matrix,
    lambda: 0.97,
    persistence: 0.98,
    windowDays: 365,
    excluded: [],
    updatedAt: '2026-11-21T00:06:00.000Z',
  };
}

describe('bands of correlated positions', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let publisher: EventPublisher;
  const me = identityOf('enterprise');

  beforeAll(async () => {
    chain = await startChain();
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await service.start();
    const { DATABASE_URL, KAFKA_BROKERS, KAFKA_TOPIC_PREFIX } = service.config;
    publisher = await startPublisher(DATABASE_URL, {
      brokers: KAFKA_BROKERS.split(','),
      topicPrefix: KAFKA_TOPIC_PREFIX,
    });
    await waitFor(async () => service.isReady(), {
      message: 'the service is ready',
    });
  }, 120_000);
  afterAll(async () => {
    await publisher?.stop();
    await service?.close();
    await chain?.close();
  }, 60_000);

  it('come from the health factor until there are covariances, then from the probability, at the next block', async () => {
    const seeded = chain.wallets.find(({ plan }) => plan.eMode && (plan.healthFactor ?? 9) < 1.1);
    const volatile = chain.wallets.find(({ plan }) => !plan.eMode && plan.healthFactor === 1.06);
    const [wallet, other] = [seeded!.address, volatile!.address];
    for (const address of [wallet, other]) await service.call('POST', '/v1/wallets', me, { address });
    const first = await service.waitForPosition(wallet, ({ reason }) => reason === 'discovered');
    expect(first.band).toBe('critical');

    await publisher.publish(outgoing('covariance.v1', covariance(1, 0.0005)));
    const shown = async (address: string): Promise<PositionList['positions'][number] | undefined> => {
      const { body } = await service.call<PositionList>('GET', `/v1/positions?wallet=${address}`, me);
      return body.positions[0];
    };
    const riskLevel = async (address: string): Promise<string | undefined> => {
      const position = await shown(address);
      return position?.riskLevel;
    };
    await waitFor(async () => (await riskLevel(wallet)) === 'low', {
      message: 'the band of the covariances',
    });
    await chain.rpc('anvil_mine', ['0x1']);
    const calm = await service.waitForPosition(wallet, ({ band }) => band === 'low');
    expect(calm).toMatchObject({
      reason: 'band',
      previousBand: 'critical',
      material: true,
      level: 'low',
      previousLevel: 'critical',
    });
    const paired = await shown(wallet);
    expect(paired?.probability7d).toBe(calm.probability7d);
    expect(paired).toMatchObject({
      riskLevelBasis: 'probability_7d',
      riskLevelReason: expect.stringMatching(/^Collateral and debt move together: .* below 2 %\.$/) as string,
    });
    expect(await shown(other)).toMatchObject({
      riskLevel: 'critical',
      riskLevelBasis: 'health_factor',
      riskLevelReason: expect.stringMatching(
        /^Health factor 1\.0\d+ is between 1\.00 and 1\.10\.$/,
      ) as string,
      probability7d: null,
    });

    await publisher.publish(outgoing('covariance.v1', covariance(2, 0.05)));
    await waitFor(async () => (await riskLevel(wallet)) === 'critical', {
      message: 'stablecoins with a higher volatility',
    });
    await chain.rpc('anvil_mine', ['0x1']);
    const wild = await service.waitForPosition(wallet, ({ sequence }) => sequence > calm.sequence);
    expect(wild).toMatchObject({ band: 'critical', previousBand: 'low' });
    expect(wild.id).toBe(
      positionId({ protocol: 'aave-v3', chainId: 1, market: DEVNET_MARKET, subId: '', wallet }),
    );
  });
});
