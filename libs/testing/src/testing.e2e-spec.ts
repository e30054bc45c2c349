import Redis from 'ioredis';
import { Kafka, logLevel } from '@plimsoll/kafkajs';
import { Client } from 'pg';
import { createTestDatabase, startReceiver, testKafka, testRedis } from './index';

describe('createTestDatabase', () => {
  it('creates a separate empty database and drops it while a session is open', async () => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    const tables = await client.query(
      "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'",
    );
    expect(tables.rowCount).toBe(0);
    await database.drop();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await client.end();
  });
});

describe('testRedis', () => {
  it('responds, and two calls differ in their prefix', async () => {
    const { url, keyPrefix } = testRedis();
    const redis = new Redis(url);
    expect(await redis.ping()).toBe('PONG');
    expect(testRedis().keyPrefix).not.toBe(keyPrefix);
    await redis.quit();
  });
});

describe('testKafka', () => {
  it('creates no topic automatically', async () => {
    const { brokers, topicPrefix } = testKafka();
    const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
    // A broker that has just created a topic reports for some time that it does not host it. Only this client
    // retries.
    const admin = kafka.admin();
    const hasty = kafka.admin({ retry: { retries: 0 } });
    await Promise.all([admin.connect(), hasty.connect()]);
    await admin.createTopics({
      topics: [{ topic: `${topicPrefix}made`, numPartitions: 1 }],
      waitForLeaders: true,
    });
    await expect(hasty.fetchTopicOffsets(`${topicPrefix}unknown`)).rejects.toThrow();
    const topics = await admin.listTopics();
    expect(topics.filter((topic) => topic.startsWith(topicPrefix))).toEqual([`${topicPrefix}made`]);
    await Promise.all([admin.disconnect(), hasty.disconnect()]);
  });
});

describe('startReceiver', () => {
  it('keeps the raw bytes and returns the configured response', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(() => ({ status: 410, body: 'gone' }));
    const body = Buffer.from('{"a": 1.0 }');
    const response = await fetch(`${receiver.url}/hook?x=1`, { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([410, 'gone']);
    const request = await receiver.waitForRequest((each) => each.path === '/hook?x=1');
    expect(request.body).toEqual(body);
    await receiver.close();
  });
});
