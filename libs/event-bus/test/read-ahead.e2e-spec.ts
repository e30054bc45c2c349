import { setTimeout as delay } from 'node:timers/promises';
import { TransientError } from '@plimsoll/contracts';
import { KafkaBatchServer, appendToOutbox, outgoing, type OutgoingEvent } from '../src';
import {
  type BusFixture,
  type Handle,
  createBus,
  effects,
  eventually,
  noteEffects,
  readTopic,
} from './bus-fixture';
import { alert } from './event-values';

const MANY = 5_000;
const OTHERS = 20;
/** The time of a transaction, so that the many events take longer than their fetch. */
const HANDLE_MS = 30;
/** Bytes of a fetch of about a hundred events. */
const MANY_FETCHES = 65_536;
const MORE = {
  partitions: 1,
  readAhead: { topics: ['alert.v1'], eventsPerKey: 32, maxBytes: 67_108_864 },
} as const;

const slowly: Handle = async (batch) => {
  await noteEffects(batch);
  await delay(HANDLE_MS);
};

describe('reading ahead', () => {
  let bus: BusFixture;
  let heavy: OutgoingEvent[];
  let others: OutgoingEvent[];

  beforeEach(async () => {
    bus = await createBus();
    heavy = Array.from({ length: MANY }, (_, at) => outgoing('alert.v1', alert(`alert ${at}`)));
    others = Array.from({ length: OTHERS }, (_, at) => outgoing('alert.v1', alert('other', 1 + (at % 4))));
  });
  afterEach(() => bus.close());

  const idsOf = (events: readonly OutgoingEvent[]): string[] => events.map(({ eventId }) => eventId);
  const whenHandled = async (): Promise<string[]> => {
    await eventually(async () => (await effects(bus.pool)).length >= MANY + OTHERS, {
      message: 'all are handled',
      timeoutMs: 100_000,
      intervalMs: 200,
    });
    return effects(bus.pool);
  };
  /** Each event once, and those of each key in their order. */
  const expectOrder = (handled: readonly string[]): void => {
    const of = (events: readonly OutgoingEvent[]): string[] => {
      const ids = new Set(idsOf(events));
      return handled.filter((id) => ids.has(id));
    };
    expect(handled).toHaveLength(MANY + OTHERS);
    expect(of(heavy)).toEqual(idsOf(heavy));
    for (let key = 0; key < 4; key += 1) {
      const own = others.filter((_, at) => at % 4 === key);
      expect(of(own)).toEqual(idsOf(own));
    }
  };

  it('reads to the end of the partition before it handles many events of one key', async () => {
    let isPublished = false;
    const handle: Handle = async (batch) => {
      await eventually(() => isPublished, { message: 'all are published' });
      await slowly(batch);
    };
    await bus.startService(handle, { ...MORE, maxBytesPerPartition: MANY_FETCHES });
    const each = MANY / OTHERS;
    const mixed = others.flatMap((other, at) => [...heavy.slice(at * each, (at + 1) * each), other]);
    await appendToOutbox(bus.pool, mixed);
    const isEmpty = async (): Promise<boolean> =>
      (await bus.pool.query('SELECT FROM outbox LIMIT 1')).rowCount === 0;
    await eventually(isEmpty, { message: 'the outbox is empty' });
    isPublished = true;
    const handled = await whenHandled();
    expectOrder(handled);
    const last = Math.max(...idsOf(others).map((id) => handled.indexOf(id)));
    // Some transactions of 125 of the many may have begun before the rest was published.
    expect(last).toBeLessThan(OTHERS + 6 * 125);
  });

  it('loses no event that waits in memory when the service stops', async () => {
    const app = await bus.startService(slowly, MORE);
    await appendToOutbox(bus.pool, [...heavy, ...others]);
    const isHalf = async (): Promise<boolean> => (await effects(bus.pool)).length > MANY / 4;
    await eventually(isHalf, { message: 'some are handled', timeoutMs: 60_000 });
    await app.close();
    const before = (await effects(bus.pool)).length;
    expect(before).toBeLessThan(MANY);
    await bus.startService(noteEffects, MORE);
    expectOrder(await whenHandled());
  });

  it('handles events in their order after a dependency was unavailable, and pauses the topic meanwhile', async () => {
    let failures = 0;
    const app = await bus.startService(async (batch) => {
      const isOfMany = batch.events.length > OTHERS;
      if (isOfMany && failures < 3) {
        failures += 1;
        throw new TransientError('the rate service is away');
      }
      await noteEffects(batch);
    }, MORE);
    await appendToOutbox(bus.pool, [...heavy, ...others]);
    expectOrder(await whenHandled());
    expect(failures).toBe(3);
    await eventually(() => app.get(KafkaBatchServer).health().ok, { message: 'healthy again' });
    expect(await readTopic(bus.options, `${bus.options.topicPrefix}alert.v1.dlq`)).toEqual([]);
  });

  it('handles all events when not all of them may wait in memory', async () => {
    await bus.startService(noteEffects, { ...MORE, readAhead: { ...MORE.readAhead, maxBytes: 100_000 } });
    await appendToOutbox(bus.pool, [...heavy, ...others]);
    expectOrder(await whenHandled());
  });
});
