import {
  createTestDatabase,
  type EventPublisher,
  startPublisher,
  type TestDatabase,
  testIdentityKeys,
  testKafka,
  testRedis,
} from '@plimsoll/testing';
import { startInstance } from './recovery/instances';
import { type Instance, Scenario } from './recovery/scenario';

jest.setTimeout(180_000);

/** Clients of a loaded machine need seconds to connect again, within the window. */
const WINDOW_MS = 20_000;
const NOTHING_WRONG = { lost: 0, doubled: 0, foreign: 0, outOfOrder: 0 };

describe('streams with clients of two instances', () => {
  const identityKeys = testIdentityKeys();
  let database: TestDatabase;
  let publisher: EventPublisher;
  let instances: Instance[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const log = testKafka();
    publisher = await startPublisher(database.url, log);
    const env = {
      LOG_LEVEL: 'warn',
      IDENTITY_KEYS_FOLDER: identityKeys,
      KAFKA_BROKERS: log.brokers.join(','),
      KAFKA_TOPIC_PREFIX: log.topicPrefix,
      REDIS_URL: testRedis().url,
      HEARTBEAT_MS: '3000',
      RECONNECT_SPREAD_MS: '0',
      RESUME_WINDOW_MS: String(WINDOW_MS),
    };
    instances = await Promise.all([startInstance(env), startInstance(env)]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all((instances ?? []).map((instance) => instance.end('SIGKILL')));
    await publisher.stop();
    await database.drop();
  });
  const scenario = (seed: number): Scenario =>
    new Scenario({ subscribers: 60, eventsPerSecond: 100, identityKeys, publisher, instances, seed });

  it('lose and repeat nothing when one instance is killed and during a rolling restart', async () => {
    const run = scenario(1);
    await run.begin();
    await run.killOne();
    await instances[0]?.start();
    await run.restartEach();
    const verdict = await run.verdict();
    expect(verdict).toMatchObject({ ...NOTHING_WRONG, subscribers: 60, notRecovered: 0 });
    expect(verdict.expected).toBeGreaterThan(100);
  });

  it('replay everything just inside the window', async () => {
    const run = scenario(2);
    await run.begin();
    await run.stayDisconnected(WINDOW_MS * 0.5);
    const verdict = await run.verdict();
    expect(verdict).toMatchObject({ ...NOTHING_WRONG, notRecovered: 0 });
    expect(verdict.recovered).toBeGreaterThanOrEqual(60);
  });

  it('report a gap past the window, and send a correct snapshot', async () => {
    const run = scenario(3);
    await run.begin();
    expect(await run.reconnectTooLate(WINDOW_MS)).toEqual({ notRecovered: 60, wrongSnapshots: 0 });
  });
});
