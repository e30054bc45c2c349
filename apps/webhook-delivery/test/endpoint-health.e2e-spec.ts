import { newId } from '@plimsoll/contracts';
import { type Receiver, collectEvents, startReceiver, waitFor } from '@plimsoll/testing';
import { DeliveryFixture, type Instance, alertOf } from './delivery-fixture';
import { logClient } from './log-client';

const DAY_MS = 86_400_000;

describe('an endpoint that fails', () => {
  let fixture: DeliveryFixture;
  let service: Instance;
  let receiver: Receiver;
  let status: number;

  beforeAll(async () => {
    fixture = await DeliveryFixture.create();
    service = await fixture.startInstance();
    receiver = await startReceiver();
    receiver.respondWith(() => ({ status }));
  }, 60_000);
  beforeEach(() => {
    status = 500;
    service.clock.now = Date.now;
  });
  afterAll(async () => {
    await fixture.close();
    await receiver.close();
  });

  const start = async () => {
    const accountId = newId('acc');
    const { id } = await service.register(accountId, `${receiver.url}/${accountId}`, ['alert.created']);
    const webhook = async () =>
      (await service.call('PATCH', `/v1/webhooks/${id}`, { accountId, body: {} })).body as {
        webhook: { isEnabled: boolean; disabledReason: string | null };
      };
    /** Publishes one alert and waits for its attempt. */
    const attempt = async () => {
      const event = alertOf(accountId);
      await fixture.publish([event]);
      await receiver.waitForRequest(({ headers }) => headers['x-service-event-id'] === event.eventId);
      await waitFor(
        async () =>
          (
            await fixture.pool.query('SELECT 1 FROM deliveries WHERE event_id = $1 AND attempts > 0', [
              event.eventId,
            ])
          ).rowCount,
        { message: 'the attempt is written' },
      );
    };
    /** When the clock moves, retries become due and fail. */
    const untilDisabled = () =>
      waitFor(async () => !(await webhook()).webhook.isEnabled, { message: 'the endpoint is disabled' });
    return { accountId, id, webhook, attempt, untilDisabled, log: logClient(service, accountId) };
  };
  const passDays = (days: number): void => {
    const now = service.clock.now;
    service.clock.now = () => now() + days * DAY_MS;
  };

  it('is disabled after five days without success, and delivery.v1 reports it once', async () => {
    const { accountId, id, webhook, attempt, untilDisabled, log } = await start();
    const collector = await collectEvents(fixture.kafka, 'delivery.v1');
    await attempt();
    passDays(4.9);
    await attempt();
    expect(await webhook()).toMatchObject({ webhook: { isEnabled: true } });
    passDays(0.2);
    await untilDisabled();
    expect(await webhook()).toMatchObject({ webhook: { disabledReason: 'failing' } });
    await fixture.publish([alertOf(accountId)]);
    await log.until(id, 'skipped');
    const published = () => collector.events.flatMap(({ value }) => (value?.webhookId === id ? [value] : []));
    await waitFor(() => published().some(({ state }) => state === 'skipped'), {
      message: 'the skipped delivery is published',
    });
    await collector.stop();
    expect(published().filter(({ webhookDisabled }) => webhookDisabled === 'failing')).toHaveLength(1);
  }, 40_000);

  it('stays enabled when one attempt within the five days succeeded', async () => {
    const { webhook, attempt } = await start();
    await attempt();
    passDays(3);
    status = 204;
    await attempt();
    status = 500;
    await attempt();
    passDays(3);
    await attempt();
    expect(await webhook()).toMatchObject({ webhook: { isEnabled: true } });
  }, 40_000);

  it('starts again when its account enables it, and its skipped deliveries can be recovered', async () => {
    const { accountId, id, webhook, attempt, untilDisabled, log } = await start();
    await attempt();
    passDays(5.1);
    await untilDisabled();
    const missed = alertOf(accountId);
    await fixture.publish([missed]);
    await log.until(id, 'skipped');
    await service.call('PATCH', `/v1/webhooks/${id}`, { accountId, body: { isEnabled: true } });
    await attempt();
    expect(await webhook()).toMatchObject({ webhook: { isEnabled: true, disabledReason: null } });
    status = 200;
    const since = new Date().toISOString().slice(0, 10);
    const recovered = await service.call('POST', `/v1/webhooks/${id}/recover`, {
      accountId,
      body: { since, states: ['skipped'] },
    });
    expect(recovered).toMatchObject({ status: 202, body: { isComplete: true } });
    await receiver.waitForRequest(({ headers }) => headers['x-service-event-id'] === missed.eventId);
  }, 40_000);

  it('is disabled immediately by 410, and delivery.v1 reports it', async () => {
    const { id, webhook, attempt } = await start();
    const collector = await collectEvents(fixture.kafka, 'delivery.v1');
    status = 410;
    await attempt();
    expect(await webhook()).toMatchObject({ webhook: { isEnabled: false, disabledReason: 'gone' } });
    const published = await waitFor(() => collector.events.find(({ value }) => value?.webhookId === id), {
      message: 'the result is published',
    });
    await collector.stop();
    expect(published.value).toMatchObject({ state: 'failed', statusCode: 410, webhookDisabled: 'gone' });
  }, 40_000);
});
