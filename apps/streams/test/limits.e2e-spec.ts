import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { testRedis, waitFor } from '@plimsoll/testing';
import Redis from 'ioredis';
import { Connections } from '../src/connection/connections';
import { ConnectionCounts } from '../src/connection-counts/connection-counts';
import { StreamsHarness, newAccount } from './streams-harness';

jest.setTimeout(60_000);

describe('a connection', () => {
  let harness: StreamsHarness;
  beforeAll(async () => {
    harness = await StreamsHarness.start({ HEARTBEAT_MS: 1_000, CLOSE_DEADLINE_MS: 1_000 });
  }, 120_000);
  afterAll(() => harness.close());

  it('receives numbered heartbeats with a cursor', async () => {
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
  ])('receives invalid_request for %s, and stays open', async (_what, frame) => {
    const client = await harness.connect('positions', newAccount());
    client.send(frame);
    expect((await client.waitFor('error'))[0]?.code).toBe('invalid_request');
    client.send({ type: 'ping' });
    await client.waitFor('pong');
  });

  it('receives conflict for a used id, and not_found for an unknown one', async () => {
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
    // A text frame with the required mask, whose bytes are not UTF-8.
    const raw = (client.socket as unknown as { _socket: ReturnType<typeof connect> })._socket;
    raw.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]));
    expect(await client.closeCode()).toBe(4501);
  });

  it('is closed with 4501 above 10 messages a second, and not below', async () => {
    const client = await harness.connect('alerts', newAccount());
    for (let sent = 0; sent < 10; sent += 1) client.send({ type: 'ping' });
    await client.waitFor('pong', 10);
    // Enough to exceed the limit in a second of their own if the first ten took longer.
    for (let sent = 0; sent < 11; sent += 1) client.send({ type: 'ping' });
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

  it('is closed with 4012 when it sends no pong', async () => {
    const client = await harness.connect('alerts', newAccount(), { autoPong: false });
    expect(await client.closeCode()).toBe(4012);
  });
});

describe('the connections of an account', () => {
  const redisOf = testRedis();
  let redis: Redis;
  let first: StreamsHarness;
  let second: StreamsHarness;
  beforeAll(async () => {
    redis = new Redis(redisOf.url);
    first = await StreamsHarness.start({ REDIS_KEY_PREFIX: redisOf.keyPrefix });
    second = await first.another();
  }, 120_000);
  afterAll(async () => {
    await second.stop();
    await first.close();
    redis.disconnect();
  });

  const connectMany = (harness: StreamsHarness, accountId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => harness.connect('alerts', accountId)));
  /** Another instance that was last seen `ago` milliseconds ago, with all connections of an account. */
  const instanceSeen = async (accountId: string, ago: number): Promise<void> => {
    const [seconds = 0] = await redis.time();
    await redis.hset(`${redisOf.keyPrefix}stream-instances`, 'killed', Number(seconds) * 1_000 - ago);
    await redis.hset(`${redisOf.keyPrefix}stream-places:${accountId}`, 'killed', 100);
  };

  it('are counted over all instances, and released when they are closed', async () => {
    const accountId = newAccount();
    const clients = await connectMany(first, accountId, 60);
    await connectMany(second, accountId, 40);
    const late = await second.connect('alerts', accountId);
    expect(await late.closeCode()).toBe(4504);
    clients[0]?.socket.terminate();
    expect((await second.connect('alerts', accountId)).closed).toBeNull();
  });

  it('are counted correctly although they are shown while others are admitted', async () => {
    const accountId = newAccount();
    const counts = first.app.get(ConnectionCounts);
    await counts.acquire(accountId);
    const taken = Array.from({ length: 50 }, () => counts.acquire(accountId));
    await Promise.all([counts['show'](), ...taken]);
    expect(await redis.hvals(`${redisOf.keyPrefix}stream-places:${accountId}`)).toEqual(['51']);
  });

  it('on a killed instance are free some seconds later, and its clients wait for that', async () => {
    const accountId = newAccount();
    await instanceSeen(accountId, 0);
    expect((await first.connect('alerts', accountId)).closed).toBeNull();
  });

  it('have at most as many waiting clients as connections: the next one is refused immediately', async () => {
    const accountId = newAccount();
    await instanceSeen(accountId, 0);
    const counts = first.app.get(ConnectionCounts);
    const ended: boolean[] = [];
    const waiting = Array.from({ length: 100 }, () =>
      counts.acquire(accountId).then((isTaken) => ended.push(isTaken)),
    );
    expect(await counts.acquire(accountId)).toBe(false);
    expect(ended).toEqual([]);
    await Promise.all(waiting);
    expect(ended).toEqual(Array<boolean>(100).fill(true));
  });

  it('that closed while Redis was unavailable are free when it returns', async () => {
    const door = await startClosableProxy(redisOf.url);
    const third = await first.another({ REDIS_URL: door.url });
    const accountId = newAccount();
    const key = `${redisOf.keyPrefix}stream-places:${accountId}`;
    try {
      const clients = await connectMany(third, accountId, 3);
      expect(await redis.hvals(key)).toEqual(['3']);
      door.shut();
      for (const { socket } of clients) socket.terminate();
      await waitFor(() => third.app.get(Connections).areNone, { message: 'all members left' });
      door.open();
      await waitFor(async () => (await redis.hlen(key)) === 0, { message: 'their slots are free' });
    } finally {
      await third.stop();
      await door.remove();
    }
  });

  it('are restored when Redis has lost them', async () => {
    const accountId = newAccount();
    const key = `${redisOf.keyPrefix}stream-places:${accountId}`;
    await connectMany(first, accountId, 3);
    await redis.del(key);
    await waitFor(async () => (await redis.hvals(key))[0] === '3', { message: 'the counts are shown again' });
  });
});

/** A proxy to Redis that can be closed. It then ends its connections and accepts no others. */
async function startClosableProxy(redisUrl: string): Promise<{
  url: string;
  shut(): void;
  open(): void;
  remove(): Promise<unknown>;
}> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((inside) => {
    const outside = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => (sockets.delete(socket), other.destroy()));
      socket.pipe(other);
    }
    if (isShut) inside.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(redisUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shut = (): void => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    shut,
    open: () => (isShut = false),
    remove: () => {
      shut();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
