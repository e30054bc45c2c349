import type { PoolClient } from 'pg';
import { OutboxRelay, appendToOutbox, outgoing, type OutgoingEvent } from '../src';
import { createBus, eventually, readTopic, type BusFixture } from './bus-fixture';
import { alert } from './event-values';

/** Longer than any test. */
const NEVER_MS = 3_600_000;

describe('OutboxRelay', () => {
  let bus: BusFixture;
  const relays: OutboxRelay[] = [];

  beforeEach(async () => {
    bus = await createBus();
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await bus.close();
  });

  const startRelay = (safetyPollMs?: number): OutboxRelay => {
    const relay = new OutboxRelay(bus.options, safetyPollMs);
    relays.push(relay);
    relay.start();
    return relay;
  };
  const waiting = async () => (await bus.pool.query('SELECT 1 FROM outbox')).rowCount ?? 0;
  const drained = () => eventually(async () => (await waiting()) === 0, { message: 'the outbox is empty' });
  const published = async () => {
    const messages = await readTopic(bus.options, `${bus.options.topicPrefix}alert.v1`);
    return messages.map(({ headers }) => String(headers?.['ce_id']));
  };
  const begin = async (): Promise<PoolClient> => {
    const client = await bus.pool.connect();
    await client.query('BEGIN');
    return client;
  };
  const commit = async (client: PoolClient): Promise<void> => {
    await client.query('COMMIT');
    client.release();
  };
  const event = (title: string): OutgoingEvent => outgoing('alert.v1', alert(title));

  it('delays later rows while a transaction with earlier ones is open', async () => {
    startRelay();
    const [early, late] = [event('early'), event('late')];
    const slow = await begin();
    await appendToOutbox(slow, [early]);
    const quick = await begin();
    await appendToOutbox(quick, [late]);
    await commit(quick);
    // By then the relay has seen the committed row, even on a slow machine.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await waiting()).toBe(1);
    await commit(slow);
    await drained();
    expect(await published()).toEqual([early.eventId, late.eventId]);
  });

  it('does not wait for an open transaction that writes elsewhere in the cluster', async () => {
    startRelay();
    await bus.pool.query('CREATE TABLE elsewhere (id int)');
    const slow = await begin();
    await slow.query('INSERT INTO elsewhere VALUES (1)');
    const quick = event('quick');
    await appendToOutbox(bus.pool, [quick]);
    await drained();
    await commit(slow);
    expect(await published()).toEqual([quick.eventId]);
  });

  it('keeps the order of a key under concurrent transactions that commit late', async () => {
    startRelay();
    await bus.pool.query('CREATE TABLE counters (id int PRIMARY KEY, n int NOT NULL)');
    await bus.pool.query('INSERT INTO counters SELECT k, 0 FROM generate_series(0, 4) AS k');
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        const key = (writer + round) % 5;
        const tx = await begin();
        const { rows } = await tx.query<{ n: number }>(
          'UPDATE counters SET n = n + 1 WHERE id = $1 RETURNING n',
          [key],
        );
        await appendToOutbox(tx, [outgoing('alert.v1', alert(`${key}:${rows[0]?.n}`, key))]);
        await tx.query('SELECT pg_sleep(random() * 0.02)');
        await commit(tx);
      }
    };
    await Promise.all([write(0), write(1), write(2)]);
    await drained();
    const messages = await readTopic(bus.options, `${bus.options.topicPrefix}alert.v1`);
    const titles = messages.map(({ value }) => (JSON.parse(String(value)) as { title: string }).title);
    expect(titles).toHaveLength(60);
    for (let key = 0; key < 5; key += 1) {
      const counts = titles
        .filter((title) => title.startsWith(`${key}:`))
        .map((title) => Number(title.slice(2)));
      expect(counts).toEqual(Array.from(counts, (_, at) => at + 1));
    }
  });

  it('publishes each commit when it is notified, and waits for no poll', async () => {
    startRelay(NEVER_MS);
    for (let at = 0; at < 20; at += 1) {
      await appendToOutbox(bus.pool, [event(`alert ${at}`)]);
      await drained();
    }
  });

  it("has one leader, and another takes over when the leader's connection breaks", async () => {
    const first = startRelay();
    await eventually(() => first.leading, { message: 'the first instance is the leader' });
    const second = startRelay();
    await appendToOutbox(bus.pool, [event('one')]);
    await drained();
    expect([first.leading, second.leading]).toEqual([true, false]);

    await first.stop();
    await eventually(() => second.leading, { message: 'the second instance is the leader' });
    const third = startRelay();
    await bus.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await eventually(() => !second.leading || third.leading, { message: 'the second instance noticed it' });
    await eventually(() => second.leading !== third.leading, { message: 'one of the two is the leader' });
    await appendToOutbox(bus.pool, [event('two')]);
    await drained();
    expect(await published()).toHaveLength(2);
  });

  it('publishes more than one request can carry, with values near the limit', async () => {
    startRelay();
    const big = outgoing('alert.v1', { ...alert('big'), message: 'x'.repeat(850_000) });
    const many = Array.from({ length: 3_000 }, (_, at) => event(`alert ${at}`));
    await appendToOutbox(bus.pool, [big, ...many, { ...big, eventId: `${big.eventId}2` }]);
    await drained();
    expect(await published()).toEqual([
      big.eventId,
      ...many.map(({ eventId }) => eventId),
      `${big.eventId}2`,
    ]);
  });
});
