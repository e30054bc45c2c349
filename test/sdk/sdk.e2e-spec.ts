import { assetListing, seededRandom, setPrice } from '@plimsoll/devnet';
import {
  ApiError,
  ConnectionError,
  Plimsoll,
  StreamClosedError,
  type StreamEvent,
  TimeoutError,
  webhooks,
} from '@plimsoll/sdk';
import { startReceiver, waitFor, type Receiver } from '@plimsoll/testing';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { FaultProxy } from './fault-proxy';

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
/** Interruptions of a stream. */
const CUTS = 100;
/** The service drains its connections and restarts with every so many interruptions. */
const CUTS_PER_RESTART = 25;

describe('the SDK against the platform, with faults in between', () => {
  let receiver: Receiver;
  let platform: Platform;
  let proxy: FaultProxy;
  let key: string;
  let client: Plimsoll;
  const attempts: number[] = [];

  beforeAll(async () => {
    [platform, receiver] = await Promise.all([startOwnPlatform(), startReceiver()]);
    proxy = await FaultProxy.start(new URL(platform.baseUrl).origin);
    key = await platform.createKey('enterprise', 100_000);
    client = new Plimsoll({
      apiKey: key,
      baseUrl: proxy.url,
      onResponse: ({ request }) => void attempts.push(request.attempt),
    });
    for (const { address } of platform.wallets) await client.wallets.watch({ address });
  }, 240_000);

  afterAll(async () => {
    await proxy?.stop();
    await platform?.stop();
    await receiver?.close();
  });

  beforeEach(() => {
    proxy.faults.length = 0;
    proxy.forwarded.length = 0;
    attempts.length = 0;
  });

  it('reads every item of a list over its pages, with exact amounts', async () => {
    const { wallets } = await client.wallets.list({ limit: 200 });
    const addresses: string[] = [];
    for await (const { address } of client.wallets.list({ limit: 3 })) addresses.push(address);
    expect(addresses).toEqual(wallets.map(({ address }) => address));
    const borrower = platform.wallets.find(({ plan }) => plan.healthFactor !== null)!.address;
    const [position] = await client.positions.list({ wallet: borrower }).take(1);
    expect(position?.healthFactorRaw).toBeGreaterThan(10n ** 18n);
  });

  it.each(['reset', 'internal', 'bad-gateway', 'limited', 'truncated', 'reset-after', 'stall'] as const)(
    'sends a request again after: %s',
    async (fault) => {
      const patient = new Plimsoll({ apiKey: key, baseUrl: proxy.url, timeoutMs: 2_000 });
      proxy.faults.push(fault, fault);
      expect((await patient.chains.list({ limit: 2 })).chains).toHaveLength(2);
      expect(proxy.faults).toEqual([]);
    },
  );

  it('ends with a typed error when every attempt fails', async () => {
    const hasty = new Plimsoll({ apiKey: key, baseUrl: proxy.url, maxRetries: 1, timeoutMs: 500 });
    proxy.faults.push('reset', 'reset');
    await expect(hasty.service.status()).rejects.toThrow(ConnectionError);
    proxy.faults.push('stall', 'stall');
    await expect(hasty.service.status()).rejects.toThrow(TimeoutError);
    proxy.faults.push('bad-gateway', 'bad-gateway');
    await expect(hasty.service.status()).rejects.toMatchObject({ name: 'ApiError', code: 'http_502' });
    expect(proxy.faults).toEqual([]);
  });

  it('states code, field, request and remedy of a refused request, and does not repeat it', async () => {
    const failure = await client.simulate
      .monteCarlo({ positionId: 'pos_0000000000000000000000', iterations: -1, horizonDays: 30 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 400, code: 'invalid_request', field: 'iterations' });
    expect((failure as ApiError).requestId).toMatch(/^req_/);
    expect((failure as ApiError).remedy).toMatch(/iterations/);
    expect(attempts).toEqual([1]);
  });

  it('writes once although the response was lost', async () => {
    proxy.faults.push('reset-after', 'truncated');
    const { rule } = await client.rules.create({
      name: 'once',
      positionId: (await client.positions.list({ wallet: platform.wallets[0]!.address }).take(1))[0]!.id,
      conditionType: 'health_factor_below',
      conditionValue: 1.01,
      actionType: 'alert',
    });
    const names: string[] = [];
    for await (const { id, name } of client.rules.list()) if (name === 'once') names.push(id);
    expect(names).toEqual([rule.id]);
  });

  it('stops at once when its signal is aborted', async () => {
    const abort = new AbortController();
    proxy.faults.push('stall');
    const pending = client.service.status({}, { signal: abort.signal });
    await waitFor(() => proxy.faults.length === 0, { message: 'the request arrived' });
    abort.abort(new Error('the user left'));
    await expect(pending).rejects.toThrow('the user left');
  });

  it('waits while the gateway restarts', async () => {
    await platform.services.gateway.stop();
    const pending = client.chains.get({ id: '1' }, { maxRetries: 10 });
    await platform.services.gateway.start();
    expect((await pending).chain.id).toBe(1);
  });

  it('verifies a webhook of the platform and follows the same events', async () => {
    const { webhook } = await client.webhooks.create({ url: `${receiver.url}/sdk`, events: ['test.ping'] });
    const since = new Date().toISOString();
    expect((await client.webhooks.test({ id: webhook.id })).success).toBe(true);
    const [request] = receiver.requests;
    const event = await webhooks.verify(request!.body, request!.headers, webhook.secret);
    expect(event).toMatchObject({ event: 'test.ping', webhookId: webhook.id });
    const wrong = webhooks.verify(Buffer.from(`${request!.body} `), request!.headers, webhook.secret);
    await expect(wrong).rejects.toMatchObject({ code: 'signature_wrong' });
    for await (const followed of client.events.follow({ since, intervalMs: 50 })) {
      expect(followed).toMatchObject({ event: 'test.ping', eventId: event.eventId, isTest: true });
      break;
    }
  });

  it('follows every event once, over failures and restarts of the consumer', async () => {
    const { webhook } = await client.webhooks.create({ url: `${receiver.url}/sdk`, events: ['test.ping'] });
    const random = seededRandom(7);
    const faults = ['reset', 'truncated', 'bad-gateway', 'limited'] as const;
    const received: string[] = [];
    const abort = new AbortController();
    let restarts = 0;
    const follow = async (): Promise<void> => {
      let since: string | undefined;
      for (;;) {
        const options = { signal: abort.signal, intervalMs: 20, ...(since !== undefined && { since }) };
        for await (const frame of client.events.follow(options)) {
          if (frame.type === 'gap') throw new Error(frame.reason);
          received.push(frame.eventId);
          since = frame.cursor;
          // Without a cursor, the start is the newest event.
          if (random() < 0.4) break;
        }
        restarts += 1;
      }
    };
    const following = follow().catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
    await waitFor(() => proxy.forwarded.filter((each) => each.startsWith('GET /v1/events')).length > 2, {
      message: 'the consumer knows where it starts',
    });
    const direct = new Plimsoll({ apiKey: key, baseUrl: platform.baseUrl });
    const sent: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      if (count % 5 === 0) proxy.faults.push(faults[(count / 5) % faults.length]!);
      const { deliveryId } = await direct.webhooks.test({ id: webhook.id });
      sent.push((await direct.deliveries.get({ id: deliveryId })).delivery.eventId);
    }
    await waitFor(() => received.length >= sent.length, { message: 'every event was followed' });
    abort.abort();
    await following;
    expect([...received].sort()).toEqual([...sent].sort());
    expect(restarts).toBeGreaterThan(5);
  }, 120_000);

  it(`receives every event of a stream once, although it is interrupted ${CUTS} times`, async () => {
    const random = seededRandom(32);
    const direct = new Plimsoll({ apiKey: key, baseUrl: platform.baseUrl });
    const abort = new AbortController();
    const [expected, received] = [new Map<string, string>(), new Map<string, string>()];
    const repeated: string[] = [];
    let subscribed = 0;
    const watch = async (of: Plimsoll, into: Map<string, string>, isCut: boolean): Promise<void> => {
      let since: string | undefined;
      // A consumer that is killed and started again, which stored the cursor of its last event.
      while (!abort.signal.aborted) {
        const options = {
          signal: abort.signal,
          ...(isCut && { maxQueued: 50 }),
          ...(since !== undefined && { since }),
        };
        for await (const frame of of.streams.positions(options)) {
          if (frame.type === 'snapshot' && frame.last) subscribed += 1;
          if (frame.type === 'gap') repeated.push(`gap: ${frame.reason}`);
          if (frame.type !== 'event') continue;
          if (into.has(frame.eventId)) repeated.push(frame.eventId);
          into.set(frame.eventId, sayEvent(frame));
          since = frame.cursor;
          if (isCut && random() < 0.02) break;
        }
      }
    };
    const stopped = (error: unknown): void => {
      if (!abort.signal.aborted) throw error;
    };
    const both = [
      watch(direct, expected, false).catch(stopped),
      watch(client, received, true).catch(stopped),
    ];
    await waitFor(() => subscribed === 2, { message: 'both consumers have their snapshot' });
    for (let cut = 0; cut < CUTS; cut += 1) {
      const before = expected.size;
      await setPrice(
        platform.rpcUrl,
        platform.devnet,
        'WETH',
        SEEDED_USD * (1 + (cut % 2 === 0 ? -1 : 1) * (0.02 + 0.02 * random())),
      );
      await waitFor(() => expected.size > before, {
        message: 'a price changes positions',
        timeoutMs: 90_000,
      });
      if (cut % CUTS_PER_RESTART === CUTS_PER_RESTART - 1) {
        await platform.services.streams.stop();
        await platform.services.streams.start();
      } else proxy.cutStreams();
    }
    await waitFor(() => received.size >= expected.size, {
      message: 'the interrupted consumer has every event',
      timeoutMs: 60_000,
    });
    abort.abort();
    await Promise.all(both);
    expect(repeated).toEqual([]);
    expect([...expected].filter(([id, said]) => received.get(id) !== said)).toEqual([]);
    expect(expected.size).toBeGreaterThan(CUTS);
  }, 300_000);

  it('ends a stream that the server refuses permanently', async () => {
    const open = new Plimsoll({ apiKey: await platform.createKey('open'), baseUrl: proxy.url });
    await expect(open.streams.positions().next()).rejects.toMatchObject({ code: 'tier_required' });
    const wrong = client.streams.positions({ filter: { wallets: ['nobody'] } });
    await expect(wrong.next()).rejects.toThrow(StreamClosedError);
  });
});

const sayEvent = ({ timestamp, data }: StreamEvent<unknown>): string =>
  `${timestamp} ${JSON.stringify(data, text)}`;
const text = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
