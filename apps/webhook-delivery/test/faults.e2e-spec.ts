import { newId } from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import {
  type EventPublisher,
  type OwnPart,
  type Receiver,
  startOwnKafka,
  startPublisher,
  startReceiver,
  waitFor,
  type ServiceProcess,
  startProcess,
} from '@plimsoll/testing';
import { LEASE_MS } from '../src/delivery/lease';
import { DeliveryFixture, alertOf } from './delivery-fixture';

const RESPONSE_MS = 200;
const EVENTS = 240;
const PER_SECOND = 60;
/** The fault comes with this event. */
const FAULT_AT = 80;

/** `npm run bench -- crash` does the same at 300 events a second. */
describe('a fault under load, with an endpoint that takes 200 ms', () => {
  let kafka: OwnPart;
  let fixture: DeliveryFixture;
  let publisher: EventPublisher;
  let receiver: Receiver;
  let child: ServiceProcess;
  let environment: Record<string, string>;
  let accountId: string;

  beforeEach(async () => {
    kafka = await startOwnKafka();
    fixture = await DeliveryFixture.create({ brokers: [kafka.url], topicPrefix: '' });
    publisher = await startPublisher(fixture.environment['DATABASE_URL'] ?? '', fixture.kafka);
    receiver = await startReceiver();
    receiver.respondWith(
      () => new Promise((resolve) => setTimeout(() => resolve({ status: 200 }), RESPONSE_MS)),
    );
    const first = await fixture.startInstance({}, { consumes: false });
    accountId = newId('acc');
    await first.register(accountId, receiver.url, ['alert.created']);
    await first.stop();
    environment = { ...fixture.environment, PORT: String(await findFreePort()) };
    child = await startProcess('webhook-delivery', environment);
  }, 120_000);
  afterEach(async () => {
    await child.end('SIGKILL');
    await publisher.stop();
    await fixture.close();
    await receiver.close();
    await kafka.dispose();
  }, 60_000);

  const held = async (): Promise<number> => {
    const { rows } = await fixture.pool.query<{ held: number }>(
      'SELECT count(*)::int AS held FROM deliveries WHERE lease IS NOT NULL',
    );
    return rows[0]?.held ?? 0;
  };

  /** Publishes the load and causes a fault in its middle. `repair` resolves when the fault is repaired. */
  async function underLoad(breakIt: () => Promise<void>, repair: () => Promise<void>): Promise<void> {
    const eventIds: string[] = [];
    let heldAtFault = 0;
    let repairedAt: Promise<number> | undefined;
    for (let i = 0; i < EVENTS; i += 1) {
      const event = alertOf(accountId);
      eventIds.push(event.eventId);
      await publisher.publish(event);
      await new Promise((resolve) => setTimeout(resolve, 1_000 / PER_SECOND));
      if (i !== FAULT_AT) continue;
      await waitFor(() => receiver.requests.length > 0, {
        message: 'deliveries continue',
        timeoutMs: 30_000,
      });
      await breakIt();
      heldAtFault = await held();
      repairedAt = repair().then(() => performance.now());
    }
    const resumedAt = (await repairedAt) ?? 0;
    // `npm run bench -- crash` measures how soon. This test requires that events flow at all.
    await receiver.waitForRequest(({ receivedAtMs }) => receivedAtMs > resumedAt, 30_000);
    await waitFor(
      async () => {
        const { rows } = await fixture.pool.query<{ done: number }>(
          `SELECT count(*)::int AS done FROM deliveries WHERE state = 'delivered'`,
        );
        return rows[0]?.done === EVENTS;
      },
      { timeoutMs: 3 * LEASE_MS, message: 'every event is delivered' },
    );

    const idsOf = new Map<string, Set<string>>(eventIds.map((id) => [id, new Set()]));
    for (const { headers } of receiver.requests) {
      idsOf.get(String(headers['x-service-event-id']))?.add(String(headers['x-service-delivery']));
    }
    expect([...idsOf.values()].every((ids) => ids.size === 1)).toBe(true);
    expect(receiver.requests.length - EVENTS).toBeLessThanOrEqual(heldAtFault);
  }

  it('loses nothing when the service is killed, and repeats only attempts in flight', async () => {
    await underLoad(
      async () => void (await child.end('SIGKILL')),
      async () => {
        child = await startProcess('webhook-delivery', environment);
      },
    );
  }, 120_000);

  it('loses nothing when its database connections are killed', async () => {
    await underLoad(
      async () => {
        await fixture.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'plimsoll-webhook_delivery'`,
        );
      },
      () => Promise.resolve(),
    );
  }, 120_000);

  it('loses nothing when the Kafka broker is killed', async () => {
    await underLoad(
      () => kafka.kill9(),
      async () => {
        kafka = await kafka.restart();
      },
    );
  }, 120_000);
});
