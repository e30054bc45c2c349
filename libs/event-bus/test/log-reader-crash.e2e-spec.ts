import { startOwnKafka, waitFor, type OwnPart } from '@plimsoll/testing';
import { LogReader, OutboxRelay, appendToOutbox, outgoing } from '../src';
import { createBus, type BusFixture } from './bus-fixture';
import { alert } from './event-values';

describe('a log reader whose broker is killed with -9 and comes back', () => {
  let kafka: OwnPart;
  let bus: BusFixture;
  let relay: OutboxRelay;
  const readers: LogReader[] = [];

  beforeAll(async () => {
    kafka = await startOwnKafka();
    bus = await createBus({ brokers: [kafka.url] });
    relay = new OutboxRelay(bus.options);
    relay.start();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(readers.map((reader) => reader.stop()));
    await relay.stop();
    await bus.close();
    await kafka.dispose();
  }, 60_000);

  it('continues at its offset, from the beginning or the latest, and repeats no event', async () => {
    const publish = (...titles: string[]) =>
      appendToOutbox(
        bus.pool,
        titles.map((title) => outgoing('alert.v1', alert(title))),
      );
    const read = async (from: 'beginning' | 'latest') => {
      const titles: string[] = [];
      const reader = new LogReader({
        ...bus.options,
        topics: { 'alert.v1': from },
        onEvents: (topic, _partition, events, _highWatermark) => {
          if (topic === 'alert.v1') titles.push(...events.map(({ value }) => value?.title ?? ''));
        },
      });
      readers.push(reader);
      await reader.start();
      await reader.caughtUp;
      return titles;
    };
    await publish('one', 'two');
    const all = await read('beginning');
    await waitFor(() => all.length === 2, { message: 'both', timeoutMs: 30_000 });
    const latest = await read('latest');

    await kafka.kill9();
    kafka = await kafka.restart();
    await publish('three');
    for (const titles of [all, latest]) {
      await waitFor(() => titles.includes('three'), { message: 'the third', timeoutMs: 60_000 });
    }
    expect(all).toEqual(['one', 'two', 'three']);
    expect(latest).toEqual(['three']);
  }, 180_000);
});
