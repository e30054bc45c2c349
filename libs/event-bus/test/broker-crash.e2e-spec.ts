import { startOwnKafka, type OwnPart } from '@plimsoll/testing';
import { appendToOutbox, outgoing } from '../src';
import { createBus, eventually, effects, noteEffects, readTopic, type BusFixture } from './bus-fixture';
import { alert } from './event-values';

const EVENTS = 2_000;
const KEYS = 10;

describe('when Kafka is killed with -9 and comes back', () => {
  let kafka: OwnPart;
  let bus: BusFixture;

  beforeAll(async () => {
    kafka = await startOwnKafka();
    bus = await createBus({ brokers: [kafka.url] });
  });
  afterAll(async () => {
    await bus.close();
    await kafka.dispose();
  });

  it('loses nothing, handles nothing twice, and keeps the order of every key', async () => {
    await bus.startService(noteEffects, { maxBatchEvents: 50 });
    const events = Array.from({ length: EVENTS }, (_, at) =>
      outgoing('alert.v1', alert(`alert ${at}`, at % KEYS)),
    );
    for (let start = 0; start < EVENTS / 2; start += 100) {
      await appendToOutbox(bus.pool, events.slice(start, start + 100));
    }
    await eventually(async () => (await effects(bus.pool)).length > 100, { message: 'it is running' });
    await kafka.kill9();
    for (let start = EVENTS / 2; start < EVENTS; start += 100) {
      await appendToOutbox(bus.pool, events.slice(start, start + 100));
    }
    kafka = await kafka.restart();
    await eventually(async () => (await effects(bus.pool)).length >= EVENTS, {
      message: 'all are handled',
      timeoutMs: 100_000,
      intervalMs: 200,
    });

    const handled = await effects(bus.pool);
    expect([...handled].sort()).toEqual(events.map(({ eventId }) => eventId).sort());
    const position = new Map(handled.map((id, at) => [id, at]));
    for (let key = 0; key < KEYS; key += 1) {
      const positions = events
        .filter((_, at) => at % KEYS === key)
        .map(({ eventId }) => position.get(eventId) ?? -1);
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    }
    expect(await readTopic(bus.options, 'alert.v1.dlq')).toEqual([]);
  });
});
