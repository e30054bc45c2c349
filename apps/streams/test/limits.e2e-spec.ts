import { connect } from 'node:net';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('a connection', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start({ HEARTBEAT_MS: 1_000, CLOSE_DEADLINE_MS: 1_000 });
  }, 120_000);
  afterAll(() => harness.stop());

  it('gets heartbeats that count up, with a cursor', async () => {
    const client = await harness.connect('positions', newAccount());
    const heartbeats = await client.waitFor('heartbeat', 3);
    expect(heartbeats.map(({ count }) => count)).toEqual([1, 2, 3]);
    expect(heartbeats.every(({ cursor }) => typeof cursor === 'string')).toBe(true);
  });

  it.each([
    ['no type', {}],
    ['an unknown type', { type: 'toString' }],
    ['a number', '5'],
    ['null', 'null'],
    ['a subscription without an id', { type: 'subscribe' }],
    ['an unknown field', { type: 'subscribe', id: 'a', from: 'x' }],
    ['a cursor that is none', { type: 'subscribe', id: 'a', since: 'x' }],
    ['an unknown filter field', { type: 'subscribe', id: 'a', filter: { walets: [] } }],
    ['a wallet that is none', { type: 'subscribe', id: 'a', filter: { wallets: ['0x1'] } }],
    ['a severity on positions', { type: 'subscribe', id: 'a', filter: { minSeverity: 'high' } }],
    ['nesting', `{"type":"subscribe","id":${'['.repeat(4_000)}${']'.repeat(4_000)}}`],
  ])('gets invalid_request for %s, and stays', async (_what, frame) => {
    const client = await harness.connect('positions', newAccount());
    client.send(frame);
    expect((await client.waitFor('error'))[0]?.code).toBe('invalid_request');
    client.send({ type: 'ping' });
    await client.waitFor('pong');
  });

  it('gets conflict for an id in use, and not_found for one that is not', async () => {
    const client = await harness.subscribe('alerts', newAccount());
    client.send({ type: 'subscribe', id: 'all' });
    client.send({ type: 'unsubscribe', id: 'other' });
    const errors = await client.waitFor('error', 2);
    expect(errors.map(({ code }) => code)).toEqual(['conflict', 'not_found']);
  });

  it.each([
    ['text that is no JSON', '{'],
    ['a binary frame', Buffer.from('{"type":"ping"}')],
    ['17 KiB', JSON.stringify({ type: 'ping', pad: 'x'.repeat(17_408) })],
  ])('is closed with 4501 for %s', async (_what, data) => {
    const client = await harness.connect('positions', newAccount());
    client.socket.send(data, { binary: Buffer.isBuffer(data) });
    expect(await client.closeCode()).toBe(4501);
  });

  it('is closed with 4501 for a frame that breaks the protocol', async () => {
    const client = await harness.connect('positions', newAccount());
    // A text frame, masked as the protocol wants it, whose bytes are no UTF-8.
    const raw = (client.socket as unknown as { _socket: ReturnType<typeof connect> })._socket;
    raw.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]));
    expect(await client.closeCode()).toBe(4501);
  });

  it('is closed with 4501 above 10 messages a second, and not below', async () => {
    const client = await harness.connect('alerts', newAccount());
    for (let sent = 0; sent < 10; sent += 1) client.send({ type: 'ping' });
    await client.waitFor('pong', 10);
    client.send({ type: 'ping' });
    expect(await client.closeCode()).toBe(4501);
  });

  it('is closed with 4504 as the 101st of its account', async () => {
    const accountId = newAccount();
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => harness.connect(at % 2 ? 'alerts' : 'positions', accountId)),
    );
    const late = await harness.connect('positions', accountId);
    expect(await late.closeCode()).toBe(4504);
    expect((await harness.connect('positions', newAccount())).closed).toBeNull();
  });

  it('is closed with 4012 when it answers no ping', async () => {
    const client = await harness.connect('alerts', newAccount(), { autoPong: false });
    expect(await client.closeCode()).toBe(4012);
  });
});
