import { type PositionDetail, type RuleV1, newId, positionId } from '@plimsoll/contracts';
import { DEVNET_MARKET } from '@plimsoll/devnet';
import { outgoing, tombstone } from '@plimsoll/event-bus';
import { type EventPublisher, startPublisher, waitFor } from '@plimsoll/testing';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(30_000);

describe('rule.v1', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  let publisher: EventPublisher;
  const me = identityOf('enterprise');

  beforeAll(async () => {
    chain = await startChain();
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    const { DATABASE_URL, KAFKA_BROKERS, KAFKA_TOPIC_PREFIX } = service.config;
    await service.start();
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

  const ruleOn = (id: string, ruleId: string, over: Partial<RuleV1> = {}) =>
    outgoing('rule.v1', {
      ruleId,
      accountId: me.accountId,
      positionId: id,
      isActive: true,
      conditionType: 'health_factor_below',
      conditionValue: 1.2,
      asset: null,
      actionType: 'alert',
      updatedAt: new Date().toISOString(),
      ...over,
    });
  const ruleRow = async (ruleId: string): Promise<boolean | undefined> => {
    const sql = 'SELECT is_active FROM rules WHERE rule_id = $1';
    return (await service.pool.query<{ is_active: boolean }>(sql, [ruleId])).rows[0]?.is_active;
  };

  it('tracks the position of a wallet that only a rule names, until the rule is deleted', async () => {
    const { address } = chain.wallets[0]!;
    const key = { protocol: 'aave-v3', chainId: 1, market: DEVNET_MARKET, subId: '', wallet: address };
    const id = positionId(key);
    // The first request makes its id known.
    await service.call('GET', `/v1/positions?wallet=${address}`, me);
    const ruleId = newId('rule');
    const made = ruleOn(id, ruleId);
    await publisher.publish(made);
    const event = await service.waitForPosition(address, ({ reason }) => reason === 'discovered');
    expect(event.id).toBe(id);

    await publisher.publish(tombstone('rule.v1', ruleId));
    await waitFor(async () => (await ruleRow(ruleId)) === false, { message: 'the rule is deleted' });
    // A repeated event does not create it again.
    await publisher.publish(ruleOn(id, ruleId, { updatedAt: JSON.parse(made.value!).updatedAt as string }));
    const other = newId('rule');
    await publisher.publish(ruleOn(id, other, { isActive: false }));
    await waitFor(async () => (await ruleRow(other)) === false, { message: 'a rule that is off is known' });
    expect(await ruleRow(ruleId)).toBe(false);
    const response = await service.call<PositionDetail>('GET', `/v1/positions/${id}`, me);
    expect(response.status).toBe(200);
  });
});
