import type { Band } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import type { StreamClient } from './stream-client';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(120_000);

const eventIds = (client: StreamClient): string[] => client.of('event').map(({ eventId }) => eventId);
const lastCursor = (client: StreamClient): string => client.of('event').at(-1)?.cursor ?? '';

describe('a subscription with since', () => {
  let harness: StreamsHarness;
  let other: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start({ HEARTBEAT_MS: 2_000 });
    other = await harness.another();
  }, 120_000);
  afterAll(async () => {
    await other.stop();
    await harness.close();
  });

  it('receives every missed position once, on any instance, then resumed, then new events', async () => {
    const [accountId, wallet] = [newAccount(), harness.newWallet()];
    await harness.watch(accountId, wallet);
    const client = await harness.subscribe('positions', accountId);
    await harness.position(wallet, 1, 'low');
    await client.waitFor('event');
    client.socket.terminate();
    const missed = [await harness.position(wallet, 2, 'moderate'), await harness.position(wallet, 3, 'high')];
    const witness = await harness.subscribe('positions', accountId);
    missed.push(await harness.position(wallet, 4, 'high'));
    await waitFor(() => eventIds(witness).includes(missed[2] ?? ''), { message: 'the last one missed' });

    const back = await other.subscribe('positions', accountId, {}, lastCursor(client));
    expect(back.of('resumed')).toEqual([{ type: 'resumed', id: 'all', recovered: true }]);
    expect(eventIds(back)).toEqual(missed);
    const latest = await harness.position(wallet, 5, 'critical');
    await back.waitFor('event', 4);
    expect(eventIds(back)).toEqual([...missed, latest]);
    expect(back.of('snapshot')).toEqual([]);
  });

  it('receives nothing from the cursor of a heartbeat when nothing happened', async () => {
    const accountId = newAccount();
    const client = await harness.subscribe('alerts', accountId);
    const [{ cursor } = { cursor: '' }] = await client.waitFor('heartbeat');
    const back = await other.subscribe('alerts', accountId, {}, cursor);
    expect(back.frames.map(({ type }) => type)).toEqual(['welcome', 'subscribed', 'resumed']);
  });

  it('receives missed alerts of its own account only, and only matches of its filter', async () => {
    const [accountId, stranger, wallet] = [newAccount(), newAccount(), harness.newWallet()];
    const client = await harness.subscribe('alerts', accountId);
    await harness.alert(accountId, wallet, 'high');
    await client.waitFor('event');
    await harness.alert(stranger, wallet, 'critical');
    await harness.alert(accountId, wallet, 'high', { severity: 'low' });
    const wanted = await harness.alert(accountId, wallet, 'critical');
    await client.waitFor('event', 3);
    const since = client.of('event')[0]?.cursor;
    const back = await other.subscribe('alerts', accountId, { minSeverity: 'high' }, since);
    expect(eventIds(back)).toEqual([wanted]);
  });

  it('does not receive again what another subscription of the connection has received', async () => {
    const [accountId, wallet] = [newAccount(), harness.newWallet()];
    const client = await harness.subscribe('alerts', accountId);
    await harness.alert(accountId, wallet, 'high', { severity: 'low' });
    await client.waitFor('event');
    const since = lastCursor(client);
    client.send({ type: 'unsubscribe', id: 'all' });
    client.send({ type: 'subscribe', id: 'critical', filter: { minSeverity: 'critical' } });
    await client.waitFor('subscribed', 2);
    await harness.alert(accountId, wallet, 'critical');
    await harness.alert(accountId, wallet, 'high', { severity: 'low' });
    const witness = await harness.subscribe('alerts', accountId, {}, since);
    await witness.waitFor('event', 2);
    client.send({ type: 'subscribe', id: 'all', since });
    await client.waitFor('resumed');
    expect(eventIds(client)).toHaveLength(3);
    expect(new Set(eventIds(client)).size).toBe(3);
    await harness.alert(accountId, wallet, 'critical');
    await client.waitFor('event', 4);
  });

  it('resumes several subscriptions of one connection, each event once', async () => {
    const [accountId, wallet] = [newAccount(), harness.newWallet()];
    const client = await harness.subscribe('alerts', accountId);
    await harness.alert(accountId, wallet, 'high');
    await client.waitFor('event');
    const missed = [];
    for (let n = 0; n < 20; n += 1) {
      missed.push(await harness.alert(accountId, wallet, 'high', { severity: n % 2 ? 'low' : 'critical' }));
    }
    await client.waitFor('event', 21);
    const since = client.of('event')[0]?.cursor ?? '';
    const back = await other.connect('alerts', accountId);
    back.send({ type: 'subscribe', id: 'a', filter: { minSeverity: 'high' }, since });
    back.send({ type: 'subscribe', id: 'b', since });
    await back.waitFor('resumed', 2);
    await waitFor(() => eventIds(back).length >= 20, { message: 'all missed events' });
    expect(eventIds(back)).toHaveLength(20);
    expect(new Set(eventIds(back))).toEqual(new Set(missed));
  });

  it('receives a gap, recovered false and a new snapshot past the window', async () => {
    const short = await harness.another({ RESUME_WINDOW_MS: 1_000 });
    const [accountId, wallet] = [newAccount(), harness.newWallet()];
    await harness.watch(accountId, wallet);
    const client = await harness.subscribe('positions', accountId);
    await harness.position(wallet, 1, 'low');
    await client.waitFor('event');
    await harness.position(wallet, 2, 'critical');
    await client.waitFor('event', 2);
    const passedAtMs = Date.now() + 1_500;
    await waitFor(() => Date.now() > passedAtMs, { message: 'the window has passed' });
    const since = client.of('event')[0]?.cursor;
    const back = await short.subscribe('positions', accountId, {}, since);
    await waitFor(() => back.of('snapshot').at(-1)?.last, { message: 'the snapshot' });
    expect(back.frames.map(({ type }) => type)).toEqual([
      'welcome',
      'subscribed',
      'gap',
      'resumed',
      'snapshot',
    ]);
    expect(back.of('gap')).toMatchObject([{ reason: 'window_passed' }]);
    expect(back.of('resumed')).toMatchObject([{ recovered: false }]);
    expect(back.of('snapshot')[0]?.data).toMatchObject([{ wallet, band: 'critical' }]);
    await short.stop();
  });

  it('reads from Kafka what memory no longer contains', async () => {
    const forgetful = await harness.another({ RESUME_MEMORY_BYTES: 0 });
    const [accountId, wallet] = [newAccount(), harness.newWallet()];
    await harness.watch(accountId, wallet);
    const client = await harness.subscribe('positions', accountId);
    await harness.position(wallet, 1, 'low');
    await client.waitFor('event');
    const bands: Band[] = ['moderate', 'high', 'critical'];
    const missed = [];
    for (const [at, band] of bands.entries()) missed.push(await harness.position(wallet, at + 2, band));
    await client.waitFor('event', 4);
    const since = client.of('event')[0]?.cursor;
    const back = await forgetful.subscribe('positions', accountId, {}, since);
    expect(back.of('resumed')).toMatchObject([{ recovered: true }]);
    expect(eventIds(back)).toEqual(missed);
    await forgetful.stop();
  });

  it('reads from Kafka while more arrives than memory can hold', async () => {
    const [accountId, wallet] = [newAccount(), harness.newWallet()];
    await harness.watch(accountId, wallet);
    const client = await harness.subscribe('positions', accountId);
    await harness.position(wallet, 1, 'low');
    const [first] = await client.waitFor('event');
    client.socket.terminate();
    const published: string[] = [];
    const publish = async (): Promise<void> => {
      const sequence = published.length + 2;
      published.push(await harness.position(wallet, sequence, sequence % 2 ? 'low' : 'high'));
    };
    while (published.length < 200) await publish();
    const forgetful = await harness.another({ RESUME_MEMORY_BYTES: 20_000 });
    const over = new AbortController();
    const publishing = (async () => {
      while (!over.signal.aborted) await publish();
    })();
    try {
      const back = await forgetful.subscribe('positions', accountId, {}, first?.cursor);
      over.abort();
      await publishing;
      expect(back.of('resumed')).toMatchObject([{ recovered: true }]);
      await waitFor(() => eventIds(back).length >= published.length, { message: 'all missed events' });
      expect(eventIds(back)).toEqual(published);
    } finally {
      over.abort();
      await publishing;
      await forgetful.stop();
    }
  });
});
