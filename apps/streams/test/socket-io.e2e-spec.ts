import type { AddressInfo } from 'node:net';
import type { Identity, StreamName, StreamServerFrame } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { type Socket, io } from 'socket.io-client';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

/** The stock client of Socket.IO, which keeps what it receives. */
class Client {
  readonly frames: StreamServerFrame[] = [];
  refused: Error | null = null;
  disconnected: string | null = null;

  constructor(readonly socket: Socket) {
    socket.onAny((type: string, frame: StreamServerFrame) => {
      expect(frame.type).toBe(type);
      this.frames.push(frame);
    });
    socket.on('connect_error', (error) => (this.refused = error));
    socket.on('disconnect', (reason) => (this.disconnected = reason));
  }

  async waitFor(type: StreamServerFrame['type'], count = 1): Promise<StreamServerFrame[]> {
    const found = (): StreamServerFrame[] => this.frames.filter((frame) => frame.type === type);
    await waitFor(() => found().length >= count, { message: `${count} ${type}` });
    return found();
  }
}

describe('Socket.IO on /v1/streams', () => {
  let harness: StreamsHarness;
  const clients: Client[] = [];
  beforeAll(async () => {
    harness = await StreamsHarness.start({ HEARTBEAT_MS: 2_000 });
  }, 120_000);
  afterAll(async () => {
    for (const { socket } of clients) socket.disconnect();
    await harness.close();
  });

  function connect(stream: StreamName, accountId: string, over: Partial<Identity> = {}): Client {
    const { port } = harness.app.getHttpServer().address() as AddressInfo;
    const client = new Client(
      io(`http://127.0.0.1:${port}`, {
        path: `/v1/streams/${stream}`,
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
        extraHeaders: harness.headers(
          'GET',
          `/v1/streams/${stream}/?EIO=4&transport=websocket`,
          over,
          accountId,
        ),
      }),
    );
    clients.push(client);
    return client;
  }

  it('is the same stream: welcome, snapshot, events, heartbeats, resume', async () => {
    const [accountId, wallet] = [newAccount(), harness.newWallet()];
    await harness.watch(accountId, wallet);
    const client = connect('positions', accountId);
    await client.waitFor('welcome');
    client.socket.emit('subscribe', { id: 'all' });
    await client.waitFor('snapshot');
    const first = await harness.position(wallet, 1, 'high');
    const [event] = await client.waitFor('event');
    expect(event).toMatchObject({ eventId: first, data: { wallet, band: 'high' } });
    expect(client.frames.map(({ type }) => type).filter((type) => type !== 'heartbeat')).toEqual([
      'welcome',
      'subscribed',
      'snapshot',
      'event',
    ]);
    await client.waitFor('heartbeat', 2);
    client.socket.disconnect();

    const missed = await harness.position(wallet, 2, 'critical');
    const since = event?.type === 'event' ? event.cursor : '';
    const back = connect('positions', accountId);
    await back.waitFor('welcome');
    back.socket.emit('subscribe', { id: 'all', since });
    expect(await back.waitFor('event')).toMatchObject([{ eventId: missed }]);
    expect(await back.waitFor('resumed')).toMatchObject([{ recovered: true }]);
  });

  it('shows nothing of another account', async () => {
    const [accountId, stranger] = [newAccount(), newAccount()];
    const [own, foreign] = [harness.newWallet(), harness.newWallet()];
    await harness.watch(accountId, own);
    await harness.watch(stranger, foreign);
    const client = connect('positions', accountId);
    await client.waitFor('welcome');
    client.socket.emit('subscribe', { id: 'all' });
    client.socket.emit('subscribe', { id: 'theirs', filter: { wallets: [foreign] } });
    await client.waitFor('snapshot', 2);
    const witness = await harness.subscribe('positions', stranger);
    await harness.position(foreign, 1, 'high');
    await witness.waitFor('event');
    await harness.position(own, 1, 'high');
    expect(await client.waitFor('event')).toMatchObject([{ data: { wallet: own } }]);
  });

  it('is refused before the upgrade below enterprise', async () => {
    const client = connect('positions', newAccount(), { tier: 'business' });
    await waitFor(() => client.refused, { message: 'a connect error' });
    expect(client.frames).toEqual([]);
  });

  it.each([
    ['an unknown event', 'toString', {}],
    ['no payload', 'subscribe', undefined],
    ['a payload that is no object', 'subscribe', 'all'],
    ['an unknown field', 'subscribe', { id: 'a', wallet: '0x' }],
  ])('responds with invalid_request to %s, and stays open', async (_what, type, payload) => {
    const client = connect('alerts', newAccount());
    await client.waitFor('welcome');
    client.socket.emit(type, payload);
    expect(await client.waitFor('error')).toMatchObject([{ code: 'invalid_request' }]);
    client.socket.emit('ping');
    await client.waitFor('pong');
  });

  it('receives the close code above 10 messages a second', async () => {
    const client = connect('alerts', newAccount());
    await client.waitFor('welcome');
    for (let sent = 0; sent < 11; sent += 1) client.socket.emit('ping');
    expect(await client.waitFor('closing')).toMatchObject([{ code: 4501 }]);
    await waitFor(() => client.disconnected, { message: 'the connection is closed' });
  });

  it('is closed for 17 KiB, and the service continues', async () => {
    const client = connect('alerts', newAccount());
    await client.waitFor('welcome');
    client.socket.emit('ping', 'x'.repeat(17_408));
    await waitFor(() => client.disconnected, { message: 'the connection is closed' });
    await connect('alerts', newAccount()).waitFor('welcome');
  });
});
