import { TransientError } from '@plimsoll/contracts';
import { startOwnPostgres, testKafka, type OwnPart } from '@plimsoll/testing';
import { Client } from 'pg';
import { KafkaBatchServer, appendToOutbox, outgoing } from '../src';
import { createBus, eventually, effects, noteEffects, readTopic } from './bus-fixture';
import { alert } from './event-values';

describe('while a dependency is unavailable', () => {
  it('redelivers the events of a handler that reports it, without a dead letter', async () => {
    const bus = await createBus();
    let isAway = true;
    let calls = 0;
    const app = await bus.startService(async (batch) => {
      calls += 1;
      if (isAway) throw new TransientError('the rate service is away');
      await noteEffects(batch);
    });
    const events = ['one', 'two', 'three'].map((title) => outgoing('alert.v1', alert(title)));
    await appendToOutbox(bus.pool, events);
    await eventually(() => calls >= 3, { message: 'it was tried three times' });
    expect(app.get(KafkaBatchServer).health().ok).toBe(false);
    isAway = false;
    await eventually(async () => (await effects(bus.pool)).length === 3, { message: 'all are handled' });
    expect(await effects(bus.pool)).toEqual(events.map((event) => event.eventId));
    expect(await readTopic(bus.options, `${bus.options.topicPrefix}alert.v1.dlq`)).toEqual([]);
    await eventually(() => app.get(KafkaBatchServer).health().ok, { message: 'healthy again' });
    await bus.close();
  });

  it('loses nothing, handles nothing twice and has no dead letters when Postgres is killed with -9', async () => {
    let postgres: OwnPart = await startOwnPostgres('bus');
    const kafka = testKafka();
    const bus = await createBus({ databaseUrl: postgres.url });
    const options = { ...bus.options, ...kafka };
    const seen: string[] = [];
    let firstBatch: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      firstBatch = resolve;
    });
    await bus.startService(
      async (batch) => {
        const isFirst = seen.length === 0;
        seen.push(...batch.events.map(({ id }) => id));
        firstBatch();
        await noteEffects(batch);
        // The first transaction is still open when Postgres is killed, however slow the machine is.
        await batch.tx.query(`SELECT pg_sleep(${isFirst ? 10 : 0.02})`);
      },
      { ...kafka, maxBatchEvents: 10 },
    );
    const events = Array.from({ length: 300 }, (_, at) => outgoing('alert.v1', alert(`alert ${at}`, at % 7)));
    await appendToOutbox(bus.pool, events);
    await first;
    await postgres.kill9();
    postgres = await postgres.restart();

    const count = async () => {
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      const { rows } = await client.query<{ event_id: string }>('SELECT event_id FROM effects');
      await client.end();
      return rows.map((row) => row.event_id);
    };
    await eventually(async () => (await count()).length >= 300, {
      message: 'all are handled',
      timeoutMs: 100_000,
      intervalMs: 200,
    });
    expect((await count()).sort()).toEqual(events.map((event) => event.eventId).sort());
    expect(seen.length).toBeGreaterThan(300);
    expect(await readTopic(options, `${options.topicPrefix}alert.v1.dlq`)).toEqual([]);
    await bus.close();
    await postgres.dispose();
  });
});
