import { newId } from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import { type Receiver, startReceiver, waitFor, type ServiceProcess, startProcess } from '@plimsoll/testing';
import { LEASE_MS } from '../src/delivery/lease';
import { DeliveryFixture, alertOf } from './delivery-fixture';

/**
 * Shorter than the broker waits for a member with a recent heartbeat: a session of 6 s, a heartbeat every 1.5
 * s.
 */
const FLOWS_AGAIN_MS = 4_000;

describe('a service that ends while a request is in flight', () => {
  let fixture: DeliveryFixture;
  let receiver: Receiver;
  let child: ServiceProcess;
  let secret: string;
  let respond: () => void;

  beforeEach(async () => {
    fixture = await DeliveryFixture.create();
    receiver = await startReceiver();
    const released = new Promise<void>((resolve) => (respond = resolve));
    receiver.respondWith(() => released.then(() => ({ status: 200, body: 'thanks' })));
    const accountId = newId('acc');
    const first = await fixture.startInstance();
    ({ secret } = await first.register(accountId, receiver.url, ['alert.created']));
    await first.stop();
    child = await startProcess('webhook-delivery', {
      ...fixture.environment,
      LOG_LEVEL: 'trace',
      PORT: String(await findFreePort()),
    });
    await fixture.publish([alertOf(accountId)]);
    await waitFor(() => receiver.requests.length === 1, {
      timeoutMs: 30_000,
      message: 'the request is in progress',
    });
  }, 90_000);
  afterEach(async () => {
    await child.end('SIGKILL');
    respond();
    await fixture.close();
    await receiver.close();
  }, 30_000);

  const deliveries = async () =>
    (await fixture.pool.query('SELECT state, attempts, lease FROM deliveries')).rows;

  it('killed: another instance repeats the delivery when the lease has expired, under the same id', async () => {
    await child.end('SIGKILL');
    respond();
    const second = await fixture.startInstance({}, { consumes: false });
    expect(await deliveries()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(receiver.requests).toHaveLength(1);
    second.clock.now = () => Date.now() + LEASE_MS;
    await waitFor(
      async () => (await deliveries()).some(({ state }: { state: string }) => state === 'delivered'),
      {
        message: 'the delivery is made',
      },
    );
    const [one, two] = receiver.requests;
    expect(two?.headers['x-service-delivery']).toBe(one?.headers['x-service-delivery']);
    expect(two?.headers['x-service-event-id']).toBe(one?.headers['x-service-event-id']);
    expect(two?.body.equals(one!.body)).toBe(true);
    expect(receiver.requests).toHaveLength(2);
  }, 60_000);

  it('killed: another instance sends new events without waiting for the end of the session', async () => {
    await child.end('SIGKILL');
    const killedAt = performance.now();
    respond();
    const second = await fixture.startInstance();
    const accountId = newId('acc');
    await second.register(accountId, `${receiver.url}/meanwhile`, ['alert.created']);
    await fixture.publish([alertOf(accountId)]);
    await waitFor(() => receiver.requests.some(({ path }) => path === '/meanwhile'), {
      message: 'deliveries continue',
      intervalMs: 10,
    });
    expect(performance.now() - killedAt).toBeLessThan(FLOWS_AGAIN_MS);
  }, 60_000);

  it('stopped: it waits for the response and records it', async () => {
    const exit = child.end('SIGTERM');
    await waitFor(() => child.logs().includes('stopping'), { message: 'the service stops' });
    respond();
    expect(await exit).toBe(0);
    expect(await deliveries()).toEqual([{ state: 'delivered', attempts: 1, lease: null }]);
    expect(receiver.requests).toHaveLength(1);
  }, 60_000);

  it('writes no secret and no signature to its logs', async () => {
    respond();
    await waitFor(
      async () => (await deliveries()).some(({ state }: { state: string }) => state === 'delivered'),
      {
        message: 'the delivery is made',
      },
    );
    expect(child.logs()).not.toContain(secret.slice('whsec_'.length));
    expect(child.logs()).not.toContain(String(receiver.requests[0]?.headers['x-service-signature']));
    expect(child.logs()).not.toContain(fixture.environment['WEBHOOK_SECRET_KEYS']?.split(':')[1]);
    expect(child.logs()).not.toBe('');
  }, 60_000);

  it('releases unsent deliveries that would exceed the stop time', async () => {
    await child.end('SIGKILL');
    const second = await fixture.startInstance({ SHUTDOWN_DEADLINE_MS: 2_100 }, { consumes: false });
    second.clock.now = () => Date.now() + LEASE_MS;
    await waitFor(() => receiver.requests.length === 2, { message: 'the request is in progress again' });
    await second.stop();
    expect(await deliveries()).toEqual([{ state: 'pending', attempts: 0, lease: null }]);
  }, 60_000);
});
