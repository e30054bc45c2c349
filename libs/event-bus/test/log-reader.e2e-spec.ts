import {
  LogReader,
  OutboxRelay,
  appendToOutbox,
  outgoing,
  type LogReaderOptions,
  type ReceivedEvent,
} from '../src';
import { createBus, eventually, plainKafka, type BusFixture } from './bus-fixture';
import { alert } from './event-values';

describe('LogReader', () => {
  let bus: BusFixture;
  let relay: OutboxRelay;
  const readers: LogReader[] = [];

  beforeEach(async () => {
    bus = await createBus();
    relay = new OutboxRelay(bus.options);
    relay.start();
  });
  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.stop()));
    await relay.stop();
    await bus.close();
  });

  const groupsOfReaders = async (): Promise<string[]> => {
    const admin = plainKafka(bus.options).admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    await admin.disconnect();
    const prefix = `${bus.options.topicPrefix}bus-test-reader-`;
    return groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(prefix));
  };

  const publish = async (...titles: string[]): Promise<void> => {
    await appendToOutbox(
      bus.pool,
      titles.map((title) => outgoing('alert.v1', alert(title))),
    );
    await eventually(async () => (await bus.pool.query('SELECT 1 FROM outbox')).rowCount === 0, {
      message: 'published',
    });
  };

  const read = async (topics: LogReaderOptions['topics'], fails: () => boolean = () => false) => {
    const events: ReceivedEvent<unknown>[] = [];
    const healthy: boolean[] = [];
    const reader = new LogReader({
      ...bus.options,
      topics,
      onEvents: (topic, _partition, received, _highWatermark) => {
        if (fails()) throw new Error(`${topic} is not wanted now`);
        events.push(...received);
      },
      onHealth: () => healthy.push(reader.health().ok),
    });
    readers.push(reader);
    await reader.start();
    const titles = () => events.map(({ value }) => (value as { title: string }).title);
    return { reader, events, titles, healthy };
  };

  it('has read everything that existed when it reports so, and continues', async () => {
    await publish('one', 'two');
    const { reader, titles, healthy } = await read({ 'alert.v1': 'beginning', 'wallet.v1': 'beginning' });
    await reader.caughtUp;
    expect(titles()).toEqual(['one', 'two']);
    expect(reader.health().ok).toBe(true);
    await publish('three');
    await eventually(() => titles().length === 3, { message: 'the third' });
    expect(healthy.at(-1)).toBe(true);
    await reader.stop();
    expect(healthy.at(-1)).toBe(false);
  });

  it('reads on every instance, from the latest or from an offset', async () => {
    await publish('one', 'two', 'three');
    const all = await read({ 'alert.v1': 'beginning' });
    await all.reader.caughtUp;
    const [, second] = all.events;
    const later = await read({ 'alert.v1': { [second?.partition ?? 0]: second?.offset ?? '0' } });
    await later.reader.caughtUp;
    expect(later.titles()).toEqual(['two', 'three']);
    const latest = await read({ 'alert.v1': 'latest' });
    await latest.reader.caughtUp;
    await publish('four');
    await eventually(() => latest.titles().length > 0 && later.titles().length === 3, {
      message: 'the fourth',
    });
    expect(latest.titles()).toEqual(['four']);
  });

  it('reads again after a seek', async () => {
    await publish('one', 'two');
    const { reader, events, titles } = await read({ 'alert.v1': 'beginning' });
    await reader.caughtUp;
    const [first] = events;
    reader.seek('alert.v1', first?.partition ?? 0, first?.offset ?? '0');
    await eventually(() => titles().length === 4, { message: 'both again' });
    expect(titles()).toEqual(['one', 'two', 'one', 'two']);
  });

  it('repeats events whose receiver failed', async () => {
    await publish('one');
    let failures = 3;
    const { reader, titles } = await read({ 'alert.v1': 'beginning' }, () => (failures -= 1) >= 0);
    await reader.caughtUp;
    expect(titles()).toEqual(['one']);
  });

  it('continues at its offset after its group rebalances', async () => {
    await publish('one', 'two');
    const { reader, titles } = await read({ 'alert.v1': 'beginning' });
    await reader.caughtUp;
    const [group] = await eventually(groupsOfReaders, { message: 'the group of the reader' });
    const intruder = plainKafka(bus.options).consumer({ groupId: group ?? '' });
    const joined = new Promise((resolve) => intruder.on(intruder.events.GROUP_JOIN, resolve));
    await intruder.connect();
    await intruder.subscribe({ topic: `${bus.options.topicPrefix}alert.v1` });
    await intruder.run({ autoCommit: false, eachMessage: () => Promise.resolve() });
    await joined;
    await intruder.disconnect();
    await publish('three');
    await eventually(() => titles().includes('three'), { message: 'the third' });
    expect(titles()).toEqual(['one', 'two', 'three']);
  });

  it('leaves no group behind', async () => {
    const { reader } = await read({ 'alert.v1': 'beginning' });
    await eventually(async () => (await groupsOfReaders()).length > 0, {
      message: 'it has joined its group',
    });
    await reader.stop();
    expect(await groupsOfReaders()).toEqual([]);
  });
});
