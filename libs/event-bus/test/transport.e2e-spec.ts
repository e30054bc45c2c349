import { EVENTS, newId, type EventTopic, type EventValue } from '@plimsoll/contracts';
import { OutboxRelay, appendToOutbox, outgoing, tombstone, type EventBatch } from '../src';
import { createBus, eventually, effects, noteEffects, readTopic, type BusFixture } from './bus-fixture';
import { alert, fixtureOf } from './event-values';

describe('from the outbox to a handler', () => {
  let bus: BusFixture;

  beforeEach(async () => {
    bus = await createBus();
  });
  afterEach(() => bus.close());

  it('carries value, key, ids and trace, and a tombstone as null', async () => {
    const batches: EventBatch<unknown>[] = [];
    await bus.startService(async (batch) => void batches.push(batch));
    const context = { requestId: 'req-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const wallet = fixtureOf('wallet.v1');
    const created = outgoing('wallet.v1', wallet, context);
    const deleted = tombstone('wallet.v1', created.key);
    await appendToOutbox(bus.pool, [created, deleted]);

    const events = () => batches.flatMap((batch) => batch.events);
    await eventually(() => events().length === 2, { message: 'both events' });
    expect(events()).toMatchObject([
      { id: created.eventId, key: EVENTS['wallet.v1'].keyOf(wallet), value: wallet, ...context },
      { id: deleted.eventId, key: created.key, value: null, requestId: undefined },
    ]);
    expect(batches[0]?.topic).toBe('wallet.v1');
  });

  it('publishes the fixture of every topic unchanged, with CloudEvents headers', async () => {
    const relay = new OutboxRelay(bus.options);
    relay.start();
    const topics = Object.keys(EVENTS) as EventTopic[];
    const events = topics.map((topic) => outgoing(topic, fixtureOf(topic) as EventValue<typeof topic>));
    await appendToOutbox(bus.pool, events);
    await eventually(async () => (await bus.pool.query('SELECT 1 FROM outbox')).rowCount === 0, {
      message: 'the outbox is empty',
    });
    await relay.stop();
    for (const [at, topic] of topics.entries()) {
      const [message] = await readTopic(bus.options, `${bus.options.topicPrefix}${topic}`);
      expect(JSON.parse(String(message?.value))).toEqual(fixtureOf(topic));
      expect(String(message?.headers?.['ce_id'])).toBe(events[at]?.eventId);
      expect(String(message?.headers?.['ce_type'])).toBe(topic);
    }
  });

  it('passes on the same event once, however often it was published', async () => {
    await bus.startService(noteEffects);
    const eventId = newId('evt');
    const again = outgoing('alert.v1', alert('again'), { eventId });
    const other = outgoing('alert.v1', alert('other'));
    await appendToOutbox(bus.pool, [again, again]);
    await eventually(async () => (await effects(bus.pool)).length === 1, { message: 'the first delivery' });
    await appendToOutbox(bus.pool, [again, other]);
    await eventually(async () => (await effects(bus.pool)).includes(other.eventId), {
      message: 'the other one',
    });
    expect(await effects(bus.pool)).toEqual([eventId, other.eventId]);
  });

  it('publishes nothing from a rolled-back transaction', async () => {
    await bus.startService(noteEffects);
    const client = await bus.pool.connect();
    await client.query('BEGIN');
    await appendToOutbox(client, [outgoing('alert.v1', alert('never'))]);
    await client.query('ROLLBACK');
    client.release();
    const after = outgoing('alert.v1', alert('after'));
    await appendToOutbox(bus.pool, [after]);
    await eventually(async () => (await effects(bus.pool)).length > 0, { message: 'the event after it' });
    expect(await effects(bus.pool)).toEqual([after.eventId]);
  });

  it('runs afterCommit callbacks when the effects are committed, and not for a batch that failed', async () => {
    const seen: Promise<string[]>[] = [];
    let failures = 1;
    await bus.startService(async (batch) => {
      await noteEffects(batch);
      batch.afterCommit(() => void seen.push(effects(bus.pool)));
      if (failures-- > 0) throw new Error('the first try fails');
    });
    const event = outgoing('alert.v1', alert('once'));
    await appendToOutbox(bus.pool, [event]);
    await eventually(() => seen.length > 0, { message: 'the work after the commit' });
    expect(await Promise.all(seen)).toEqual([[event.eventId]]);
  });

  it('hands over events of a moment together when the consumer may gather them', async () => {
    const batches: string[][] = [];
    await bus.startService(
      (batch) => Promise.resolve(void batches.push(batch.events.map(({ id }) => id))),
      // The embedded broker waits 5 s at most, so the wait is shorter.
      { gatherMs: 4_000 },
    );
    const first = outgoing('alert.v1', alert('first'));
    await appendToOutbox(bus.pool, [first]);
    await eventually(() => batches.length === 1, { message: 'the first fetch' });
    const events = Array.from({ length: 5 }, () => outgoing('alert.v1', alert('first')));
    for (const event of events) {
      await appendToOutbox(bus.pool, [event]);
      await eventually(async () => (await bus.pool.query('SELECT 1 FROM outbox')).rowCount === 0, {
        message: 'the event is published',
      });
    }
    await eventually(() => batches.flat().length === 6, { message: 'all events' });
    expect(batches).toEqual([[first.eventId], events.map(({ eventId }) => eventId)]);
  });

  it('continues at its offset after a restart of the service', async () => {
    const first = await bus.startService(noteEffects);
    const events = ['one', 'two'].map((title) => outgoing('alert.v1', alert(title)));
    await appendToOutbox(bus.pool, events.slice(0, 1));
    await eventually(async () => (await effects(bus.pool)).length === 1, { message: 'the first event' });
    await first.close();
    await appendToOutbox(bus.pool, events.slice(1));
    await bus.startService(noteEffects);
    await eventually(async () => (await effects(bus.pool)).length === 2, { message: 'the second event' });
    expect(await effects(bus.pool)).toEqual(events.map((event) => event.eventId));
  });
});
