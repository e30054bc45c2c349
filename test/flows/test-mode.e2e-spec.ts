import type { AlertList, CreatedWebhook, TestMarket } from '@plimsoll/contracts';
import {
  type OwnPart,
  type Receiver,
  type TestDatabase,
  createTestDatabase,
  startOwnKafka,
  startReceiver,
  testRedis,
  waitFor,
} from '@plimsoll/testing';
import { setPrice } from '@plimsoll/devnet';
import Redis from 'ioredis';
import { Kafka, logLevel } from '@plimsoll/kafkajs';
import { Client } from 'pg';
import { type ApiClient, type ApiResponse, apiClient } from '../platform/api-client';
import { type Platform, startPlatform } from '../platform/start-platform';
import { openStream } from '../platform/stream-client';

const FLOW_MS = 120_000;

/** Every text in every table of a database. */
async function textsOf(url: string): Promise<{ table: string; text: string }[]> {
  const client = new Client({ connectionString: url, query_timeout: 60_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const found = [];
    for (const { name } of rows) {
      const { rows: texts } = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      found.push(...texts.map(({ text }) => ({ table: name, text })));
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Every key and value in the topics that match. */
async function eventsIn(
  brokers: string,
  fits: (topic: string) => boolean,
): Promise<{ topic: string; text: string }[]> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => !name.startsWith('__') && fits(name));
  let left = 0;
  for (const topic of topics)
    for (const { high, low } of await admin.fetchTopicOffsets(topic)) left += Number(high) - Number(low);
  await admin.disconnect();
  const found: { topic: string; text: string }[] = [];
  if (left === 0) return found;
  const consumer = kafka.consumer({ groupId: `leaks-${topics.length}-${left}` });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    eachMessage: ({ topic, message }) => {
      found.push({ topic, text: `${String(message.key)} ${String(message.value)}` });
      return Promise.resolve();
    },
  });
  await waitFor(() => found.length >= left * 0.99, { timeoutMs: FLOW_MS, message: 'every event is read' });
  await consumer.disconnect();
  return found;
}

/** A record id of test mode. The first characters of a key are none. */
const TEST_ID = /\b(?:acc|act|alt|del|evt|exec|grp|pos|rule|wc|wgr|wh)_test_/;

describe('test mode beside live data of the same account', () => {
  let kafka: OwnPart;
  let database: TestDatabase;
  let platform: Platform;
  let receivers: { live: Receiver; test: Receiver };
  let live: ApiClient;
  let test: ApiClient;
  let keys: { live: string; test: string };
  let wallet: string;

  /** Sends a request again while the market starts. */
  const started = <T>(send: () => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> =>
    waitFor(
      async () => {
        const response = await send();
        return response.status !== 503 && response;
      },
      { timeoutMs: FLOW_MS, intervalMs: 500, message: 'the market starts' },
    );

  beforeAll(async () => {
    const [own, db, one, other] = await Promise.all([
      startOwnKafka(),
      createTestDatabase(),
      startReceiver(),
      startReceiver(),
    ]);
    [kafka, database, receivers] = [own, db, { live: one, test: other }];
    const redis = testRedis();
    platform = await startPlatform(
      { databaseUrl: db.url, redisUrl: redis.url, kafkaBrokers: own.url },
      { REDIS_KEY_PREFIX: redis.keyPrefix },
      { hasSandbox: true },
    );
    keys = await platform.createBothKeys();
    live = apiClient(platform.baseUrl, keys.live);
    test = apiClient(platform.baseUrl, keys.test);
    wallet = platform.wallets.find(({ plan }) => plan.label === 'borrower at 1.4')!.address;
  }, 300_000);

  afterAll(async () => {
    // The markets have databases of their own on the same server.
    if (test) await test.post('/test/reset').catch(() => undefined);
    await platform?.stop();
    await receivers?.live.close();
    await receivers?.test.close();
    await kafka?.dispose();
    await database?.drop();
  }, 60_000);

  const alertsOf = async (api: ApiClient): Promise<AlertList['alerts']> =>
    (await started(() => api.get<AlertList>('/alerts'))).body.alerts;

  it('nothing of one is in the other', async () => {
    const market = await started(() => test.get<TestMarket>('/test/market'));
    expect(market.body.wallets.map(({ address }) => address)).toContain(wallet);
    for (const [api, receiver] of [
      [live, receivers.live],
      [test, receivers.test],
    ] as const) {
      expect((await started(() => api.post('/wallets', { address: wallet }))).status).toBe(201);
      const hook = { url: `${receiver.url}/hook`, events: ['alert.created', 'position.updated'] };
      expect((await started(() => api.post<CreatedWebhook>('/webhooks', hook))).status).toBe(201);
    }
    const streams = {
      live: await openStream(`${platform.streamsUrl}/alerts`, keys.live),
      test: await openStream(`${platform.streamsUrl}/alerts`, keys.test),
    };

    const shock = { asset: 'ETH', priceChangePercent: -15.5 };
    expect((await started(() => test.post('/test/shock', shock))).status).toBe(200);
    const isAboutPosition = ({ positionId }: { positionId: string | null }): boolean => positionId !== null;
    await waitFor(async () => (await alertsOf(test)).some(isAboutPosition), {
      timeoutMs: FLOW_MS,
      message: 'a test alert',
    });
    await streams.test.waitForFrame('event');
    expect(await alertsOf(live)).toEqual([]);

    // The live market moves too, so that both have alerts of the same wallet.
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', 2_400);
    await waitFor(async () => (await alertsOf(live)).some(isAboutPosition), {
      timeoutMs: FLOW_MS,
      message: 'a live alert',
    });
    await streams.live.waitForFrame('event');
    for (const receiver of [receivers.live, receivers.test])
      await receiver.waitForRequest(({ body }) => body.includes('alert.created'), FLOW_MS);

    const ids = (texts: readonly string[]): string[] =>
      texts.join(' ').match(/\b(?:pos|alt|evt|wh|del|grp|acc)_\w+/g) ?? [];
    const isTest = (id: string): boolean => id.includes('_test_');
    const received = (receiver: Receiver): string[] =>
      ids(receiver.requests.map(({ body }) => body.toString()));
    const framed = (name: 'live' | 'test'): string[] =>
      ids(streams[name].frames.map(({ frame }) => JSON.stringify(frame)));
    // Both sides have something to leak.
    for (const all of [received(receivers.live), received(receivers.test), framed('live'), framed('test')])
      expect(all.length).toBeGreaterThan(1);
    expect(received(receivers.live).filter(isTest)).toEqual([]);
    expect(received(receivers.test).filter((id) => !isTest(id))).toEqual([]);
    expect(framed('live').filter(isTest)).toEqual([]);
    expect(framed('test').filter((id) => !isTest(id))).toEqual([]);

    // Usage, the request log and the list of markets name the test account. Nothing else of the live database may.
    const own = /^(gateway\.(usage|request_log)\w*|sandbox\.\w+)$/;
    const leaks = (await textsOf(database.url)).filter(
      ({ table, text }) => TEST_ID.test(text) && !own.test(table),
    );
    expect(leaks).toEqual([]);

    const isTestTopic = (topic: string): boolean => topic.startsWith('test.');
    const [liveEvents, testEvents] = [
      await eventsIn(kafka.url, (topic) => !isTestTopic(topic)),
      await eventsIn(kafka.url, isTestTopic),
    ];
    expect(testEvents.some(({ text }) => TEST_ID.test(text))).toBe(true);
    expect(liveEvents.some(({ text }) => text.includes('alt_'))).toBe(true);
    expect(liveEvents.filter(({ text }) => TEST_ID.test(text))).toEqual([]);
    const others = testEvents.filter(({ text }) =>
      /"(?:positionId|alertId|accountId)":"[a-z]+_(?!test_)/.test(text),
    );
    expect(others).toEqual([]);

    const redis = new Redis(testRedis().url);
    const names = await redis.keys('plimsoll-test:*');
    expect(names.every((name) => name.startsWith('plimsoll-test:acc_test_'))).toBe(true);
    await redis.quit();

    // An id of one mode does not exist in the other.
    const [testAlert] = await alertsOf(test);
    expect((await live.post(`/alerts/${testAlert!.id}/acknowledge`)).status).toBe(404);
    const [liveAlert] = await alertsOf(live);
    expect((await test.post(`/alerts/${liveAlert!.id}/acknowledge`)).status).toBe(404);
    streams.live.close();
    streams.test.close();
  }, 600_000);
});
