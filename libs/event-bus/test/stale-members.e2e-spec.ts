import { randomUUID } from 'node:crypto';
import type { Consumer } from 'kafkajs';
import { ensureTopics } from '../src';
import { memberClientPart } from '../src/consume/stale-members';
import { MemberPresence, findStale } from '../src/consume/member-presence';
import { kafkaClient, type KafkaClient } from '../src/kafka/client';
import { createBus, eventually, noteEffects, type BusFixture } from './bus-fixture';

/** Far longer than these tests take, so that no join depends on the end of a session. */
const SESSION_MS = 60_000;
const JOIN_MS = 20_000;

describe('a dead member of the consumer group', () => {
  let bus: BusFixture;
  const members: { client: KafkaClient; consumer: Consumer }[] = [];

  beforeEach(async () => {
    bus = await createBus();
  });
  afterEach(async () => {
    await bus.close();
    for (const { client, consumer } of members.splice(0)) {
      await consumer.disconnect().catch(() => undefined);
      client.cut();
    }
  });

  /** A member like that of an instance. When its client is cut, it disappears without leaving. */
  const join = async (token: string): Promise<{ client: KafkaClient; memberIds: string[] }> => {
    const { topicPrefix = '', groupId } = bus.options;
    const client = kafkaClient(bus.options, memberClientPart(token));
    const admin = client.kafka.admin();
    await admin.connect();
    await ensureTopics(admin, ['alert.v1', 'wallet.v1'], { prefix: topicPrefix });
    await admin.disconnect();
    const consumer = client.kafka.consumer({
      groupId: topicPrefix + groupId,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: 1_000,
      maxWaitTimeInMs: 100,
      retry: { retries: 0, restartOnFailure: () => Promise.resolve(false) },
    });
    members.push({ client, consumer });
    const memberIds: string[] = [];
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => void memberIds.push(payload.memberId));
    await consumer.connect();
    await consumer.subscribe({ topics: ['alert.v1', 'wallet.v1'].map((topic) => topicPrefix + topic) });
    await consumer.run({ eachMessage: () => Promise.resolve() });
    return { client, memberIds };
  };

  it('is removed, so that its successor joins long before its session ends', async () => {
    const { client } = await join(randomUUID());
    client.cut();
    const startedAt = performance.now();
    await bus.startService(noteEffects);
    expect(performance.now() - startedAt).toBeLessThan(JOIN_MS);
  });

  it('is not confused with a live one: both are members', async () => {
    const presence = new MemberPresence(bus.options);
    await presence.show();
    const { memberIds } = await join(presence.token);
    await bus.startService(noteEffects);
    await eventually(() => memberIds.length > 1, { message: 'the first one shares the partitions' });
    presence.close();
    expect(new Set(memberIds).size).toBe(1);
  });
});

describe('MemberPresence', () => {
  let bus: BusFixture;

  beforeEach(async () => {
    bus = await createBus();
  });
  afterEach(() => bus.close());

  const isGone = async (token: string): Promise<boolean> => (await findStale(bus.pool, [token])).has(token);

  it('ends with its connection and returns on a new one', async () => {
    const presence = new MemberPresence(bus.options);
    await presence.show();
    expect(await isGone(presence.token)).toBe(false);
    const { rows } = await bus.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(rows).toHaveLength(1);
    await bus.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await eventually(() => isGone(presence.token), { message: 'it is deleted', intervalMs: 1 });
    await eventually(async () => !(await isGone(presence.token)), { message: 'it exists again' });
    presence.close();
    await eventually(() => isGone(presence.token), { message: 'it is closed' });
  });
});
