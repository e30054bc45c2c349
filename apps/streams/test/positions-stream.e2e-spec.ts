import { samplePosition, waitFor } from '@plimsoll/testing';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('WebSocket /v1/streams/positions', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  it('sends a welcome, the current positions, then every change', async () => {
    const accountId = newAccount();
    const wallet = harness.newWallet();
    await harness.watch(accountId, wallet);
    await harness.position(wallet, 1, 'high');
    const early = await harness.subscribe('positions', accountId);
    await harness.position(wallet, 2, 'moderate');
    await waitFor(() => early.of('event').some(({ data }) => 'band' in data && data.band === 'moderate'), {
      message: 'the second state',
    });

    const client = await harness.subscribe('positions', accountId);
    const eventId = await harness.position(wallet, 3, 'critical', { previousHealthFactor: 1.6 });
    const [event] = await client.waitFor('event');
    expect(client.frames.map(({ type }) => type)).toEqual(['welcome', 'subscribed', 'snapshot', 'event']);
    expect(client.of('welcome')[0]).toMatchObject({ stream: 'positions', heartbeatMs: 30_000 });
    const { id } = samplePosition(wallet, 1, 'low');
    expect(client.of('snapshot')).toEqual([
      { type: 'snapshot', id: 'all', last: true, data: [expect.objectContaining({ id, band: 'moderate' })] },
    ]);
    expect(event).toMatchObject({
      eventId,
      cursor: expect.stringMatching(/^[\w-]+$/),
      data: {
        id,
        wallet,
        band: 'critical',
        previousHealthFactor: 1.6,
        healthFactor: 1.03,
        block: 103,
        asOfBlock: 103,
      },
    });
  });

  it('omits closed positions from the snapshot, and older events from the stream', async () => {
    const accountId = newAccount();
    const [open, closed] = [harness.newWallet(), harness.newWallet()];
    await harness.watch(accountId, open, closed);
    const client = await harness.subscribe('positions', accountId);
    expect(client.of('snapshot')).toEqual([{ type: 'snapshot', id: 'all', data: [], last: true }]);
    await harness.position(open, 2, 'high');
    await harness.position(open, 1, 'low');
    await harness.position(closed, 1, 'low');
    await harness.position(closed, 2, 'none', { closed: true });
    await harness.position(open, 3, 'critical');
    await client.waitFor('event', 4);
    const late = await harness.subscribe('positions', accountId);
    expect(late.of('snapshot').flatMap(({ data }) => data.map(({ wallet }) => wallet))).toEqual([open]);
    expect(client.of('event')).toHaveLength(4);
  });

  it('splits a large snapshot into chunks, with every position once', async () => {
    const accountId = newAccount();
    const wallets = Array.from({ length: 450 }, () => harness.newWallet());
    await harness.watch(accountId, ...wallets);
    const witness = await harness.subscribe('positions', accountId);
    await Promise.all(wallets.map((wallet) => harness.position(wallet, 1, 'low')));
    await witness.waitFor('event', wallets.length);
    const { frames } = await harness.subscribe('positions', accountId);
    const chunks = frames.flatMap((frame) => (frame.type === 'snapshot' ? [frame] : []));
    expect(chunks.map(({ data, last }) => [data.length, last])).toEqual([
      [200, false],
      [200, false],
      [50, true],
    ]);
    expect(new Set(chunks.flatMap(({ data }) => data.map(({ wallet }) => wallet))).size).toBe(450);
  });

  it('sends one frame for any number of matching subscriptions, and none after unsubscribe', async () => {
    const accountId = newAccount();
    const wallet = harness.newWallet();
    await harness.watch(accountId, wallet);
    const client = await harness.subscribe('positions', accountId);
    client.send({ type: 'subscribe', id: 'second', filter: { chainIds: [1] } });
    await client.waitFor('subscribed', 2);
    await harness.position(wallet, 1, 'low');
    await client.waitFor('event');
    client.send({ type: 'unsubscribe', id: 'all' });
    client.send({ type: 'unsubscribe', id: 'second' });
    await client.waitFor('unsubscribed', 2);
    const witness = await harness.subscribe('positions', accountId);
    await harness.position(wallet, 2, 'high');
    await witness.waitFor('event');
    expect(client.of('event')).toHaveLength(1);
  });

  it('responds to a ping', async () => {
    const client = await harness.connect('positions', newAccount());
    client.send({ type: 'ping' });
    await client.waitFor('pong');
  });
});
