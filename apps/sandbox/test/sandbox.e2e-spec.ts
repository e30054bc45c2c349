import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type AlertList,
  type CreatedWebhook,
  type PositionList,
  type ProblemBody,
  SCOPES,
  type TestClock,
  type TestMarket,
  type TestShock,
  type TestWhaleMove,
  type WebhookEventList,
  WEBHOOK_HEADERS,
  type WhaleActivityList,
  newId,
} from '@plimsoll/contracts';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { RestoreError, TestChain } from '../src/market/test-chain';
import { Deadline } from '../src/sandboxes/deadline';
import { databaseName, databasePrefix } from '../src/sandboxes/place';
import { Sandboxes } from '../src/sandboxes/sandboxes';
import { SandboxHarness, newTestAccount } from './sandbox-harness';

jest.setTimeout(300_000);

const IDLE_MS = 300_000;
const EVENT_MS = 60_000;

/** The processes of this one that have not ended. */
const childProcesses = (): number =>
  process.getActiveResourcesInfo().filter((each) => each === 'ProcessWrap').length;

describe('the sandbox', () => {
  let sandbox: SandboxHarness;
  let receiver: Receiver;
  const [first, second] = [newTestAccount(), newTestAccount()];

  beforeAll(async () => {
    [sandbox, receiver] = await Promise.all([
      SandboxHarness.create({ SANDBOX_MOST_ACTIVE: 2, SANDBOX_IDLE_MS: IDLE_MS }),
      startReceiver(),
    ]);
    await sandbox.start();
  });
  afterAll(async () => {
    await sandbox?.close();
    await receiver?.close();
  });

  const get = async <T>(account: string, path: string): Promise<T> => {
    const { status, body } = await sandbox.send<T>(account, 'GET', path);
    expect([status, status === 200 || body]).toEqual([200, true]);
    return body;
  };
  const post = async <T>(account: string, path: string, body: object): Promise<T> => {
    const response = await sandbox.send<T>(account, 'POST', path, body);
    expect([response.status, JSON.stringify(response.body)]).toEqual([
      expect.any(Number),
      expect.not.stringContaining('"code"'),
    ]);
    return response.body;
  };
  /** A wallet that holds ETH alone, and is in danger after a fall by 15 %. */
  const walletOf = async (account: string): Promise<string> => {
    const { wallets } = await get<TestMarket>(account, '/v1/test/market');
    return wallets.find(({ label }) => label === 'borrower at 1.4')!.address;
  };

  it('gives every account the same market, with positions that its own readers read', async () => {
    const markets = [];
    for (const account of [first, second]) {
      const { startedAt, now, ...market } = await get<TestMarket>(account, '/v1/test/market');
      const elapsedMs = Date.parse(now) - Date.parse(startedAt);
      markets.push({ ...market, elapsedMs });
    }
    expect(markets[0]).toEqual(markets[1]);
    const wallet = await walletOf(first);
    const lists = [];
    for (const account of [first, second]) {
      const { positions } = await get<PositionList>(account, `/v1/positions?wallet=${wallet}`);
      lists.push(positions.map(({ id, healthFactorRaw }) => ({ id, healthFactorRaw })));
    }
    expect(lists[0]).toEqual(lists[1]);
    expect(lists[0]![0]!.id).toMatch(/^pos_test_/);
  });

  it('503 sandbox_capacity for one more account', async () => {
    const { status, body, headers } = await sandbox.send(newTestAccount(), 'GET', '/v1/test/clock');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'sandbox_capacity', '60']);
  });

  it.each([
    ['GET', 'market'],
    ['GET', 'clock'],
    ['POST', 'clock'],
    ['POST', 'shock'],
    ['POST', 'whale'],
    ['POST', 'reset'],
  ] as const)('400 for an unknown parameter of %s /v1/test/%s', async (method, name) => {
    const { status, body } = await sandbox.undocumented<ProblemBody>(method, `/v1/test/${name}?speed=2`, {
      as: { scopes: SCOPES },
      accountId: first,
    });
    expect([status, body.errors?.map(({ field, code }) => [field, code])]).toEqual([
      400,
      [['speed', 'unknown_parameter']],
    ]);
  });

  it('403 for the identity of a live account, and none of the services receives it', async () => {
    const accountId = newId('acc');
    for (const path of ['/v1/test/market', '/v1/positions', '/v1/alerts']) {
      const { status, body } = await sandbox.undocumented('GET', path, { accountId });
      expect([401, 403]).toContain(status);
      expect(['test_key_required', 'missing_api_key']).toContain(body.code);
    }
  });

  it('turns a shock into positions, alerts, webhooks and stream frames of that account alone', async () => {
    const wallet = await walletOf(first);
    for (const account of [first, second]) await post(account, '/v1/wallets', { address: wallet });
    const { webhook } = await post<CreatedWebhook>(first, '/v1/webhooks', {
      url: `${receiver.url}/hook`,
      events: ['alert.created'],
    });
    expect(webhook.id).toMatch(/^wh_test_/);
    const stream = await sandbox.stream(first, 'alerts');
    const other = await sandbox.stream(second, 'alerts');

    const shock = await post<TestShock>(first, '/v1/test/shock', { asset: 'eth', priceChangePercent: -15.5 });
    expect(shock.asset).toBe('WETH');
    const alerts = await waitFor(
      async () => {
        const found = await get<AlertList>(first, '/v1/alerts?status=active');
        return found.alerts.some(({ positionId }) => positionId !== null) && found.alerts;
      },
      { timeoutMs: EVENT_MS, message: 'an alert about the position' },
    );
    for (const { id } of alerts) expect(id).toMatch(/^alt_test_/);
    const delivery = await receiver.waitForRequest(({ body }) => body.includes('"pos_test_'), EVENT_MS);
    expect(String(delivery.headers[WEBHOOK_HEADERS.eventId])).toMatch(/^evt_test_/);
    await waitFor(() => stream.frames.some((frame) => frame.includes('"alt_test_')), {
      timeoutMs: EVENT_MS,
      message: 'an alert frame',
    });
    const events = await get<WebhookEventList>(first, '/v1/events');
    expect(events.events.every(({ eventId }) => eventId.startsWith('evt_test_'))).toBe(true);

    expect((await get<AlertList>(second, '/v1/alerts')).alerts).toEqual([]);
    expect(other.frames.some((frame) => frame.includes('alt_'))).toBe(false);
    stream.socket.close();
    other.socket.close();
  });

  it('opens a stream at the path of a stock client of Socket.IO', async () => {
    const { socket, frames } = await sandbox.open(first, '/v1/streams/alerts/?EIO=4&transport=websocket');
    await waitFor(() => frames[0]?.startsWith('0{'), { message: 'the handshake of Engine.IO' });
    socket.close();
  });

  it('moves the clock of the market, and interest accrues', async () => {
    const before = await get<TestClock>(first, '/v1/test/clock');
    const debtOf = async (): Promise<number> => {
      const wallet = await walletOf(first);
      const { positions } = await get<PositionList>(first, `/v1/positions?wallet=${wallet}`);
      return positions[0]!.totalDebtUsd;
    };
    const debt = await debtOf();
    const after = await post<TestClock>(first, '/v1/test/clock', { advanceSeconds: 2_592_000 });
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(2_592_000_000);
    expect(await get<TestClock>(first, '/v1/test/clock')).toEqual(after);
    await waitFor(async () => (await debtOf()) > debt, { message: 'interest accrues' });
  });

  it('acts once for an Idempotency-Key', async () => {
    const options = {
      as: { scopes: SCOPES },
      accountId: first,
      body: { advanceSeconds: 60 },
      headers: { 'Idempotency-Key': 'twice' },
    };
    const send = () => sandbox.request<TestClock>('POST', '/v1/test/clock', options);
    const [once, again] = [await send(), await send()];
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([once.body, 'true']);
    expect(await get<TestClock>(first, '/v1/test/clock')).toEqual(once.body);
  });

  it('does not begin an action too late for its response, and bounds the actions that wait', async () => {
    const { actions } = await get<TestMarket>(first, '/v1/test/market');
    const late = new Deadline(500);
    const acts = Array.from({ length: 17 }, () =>
      sandbox.part(Sandboxes).act(first, { kind: 'clock', advanceSeconds: 60 }, late),
    );
    const codes = (await Promise.allSettled(acts)).map(
      (act) => act.status === 'rejected' && (act.reason as { code: string }).code,
    );
    expect(codes).toEqual([...Array<string>(16).fill('upstream_timeout'), 'too_many_in_flight']);
    expect(await get<TestMarket>(first, '/v1/test/market')).toMatchObject({ actions });
  });

  it('does not do an action that its node does not confirm in time, and restores the market', async () => {
    const before = await get<TestClock>(first, '/v1/test/clock');
    const sandboxes = sandbox.part(Sandboxes);
    const { chain } = await sandboxes.use(first, new Deadline());
    process.kill(chain['node'].pid, 'SIGSTOP');
    const act = sandboxes.act(first, { kind: 'clock', advanceSeconds: 60 }, new Deadline(2_000));
    await expect(act).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(await get<TestClock>(first, '/v1/test/clock')).toEqual(before);
  });

  it('ends a start whose chain is not restored in time, and its node', async () => {
    const folder = path.join(sandbox.folder.path, 'late');
    await mkdir(folder, { recursive: true });
    const before = childProcesses();
    const starting = TestChain.start(folder, 1_800_000_000, 1);
    await waitFor(() => childProcesses() > before, { message: 'the node has started', intervalMs: 5 });
    await expect(starting).rejects.toThrow(RestoreError);
    await waitFor(() => childProcesses() <= before, { message: 'the node has ended' });
  });

  it('lets a whale act, which its activity shows, and refuses what the market refuses', async () => {
    const act = { whale: 'narwhal', action: 'supply', asset: 'ETH', amount: '400' };
    const move = await post<TestWhaleMove>(first, '/v1/test/whale', act);
    expect(move).toMatchObject({ action: 'supply', asset: 'WETH', amount: '400' });
    await waitFor(
      async () =>
        (await get<WhaleActivityList>(first, '/v1/whales/activity')).activity.some(
          ({ wallet, action }) => wallet === move.wallet && action === 'supply',
        ),
      { timeoutMs: EVENT_MS, message: 'the activity of the whale' },
    );
    const tooMuch = { ...act, amount: '99999999' };
    const refused = await sandbox.send(first, 'POST', '/v1/test/whale', tooMuch);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect(refused.body.detail).toMatch(/^The market refuses it: supply of WETH reverted/);
    // A repeated request is not a second action of the market.
    const { actions } = await get<TestMarket>(first, '/v1/test/market');
    const options = { as: { scopes: SCOPES }, accountId: first, body: tooMuch };
    const repeated = () =>
      sandbox.request('POST', '/v1/test/whale', { ...options, headers: { 'Idempotency-Key': 'refused' } });
    const [once, again] = [await repeated(), await repeated()];
    expect([once.status, again.status]).toEqual([409, 409]);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([once.body, 'true']);
    expect(again.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await get<TestMarket>(first, '/v1/test/market')).toMatchObject({ actions: actions + 1 });
    const unknown = { asset: 'DOGE', priceChangePercent: 1 };
    expect((await sandbox.send(first, 'POST', '/v1/test/shock', unknown)).status).toBe(400);
  });

  it('stops the market that was idle the longest for one more account', async () => {
    sandbox.nowMs += 119_999;
    const third = newTestAccount();
    expect((await sandbox.send(third, 'GET', '/v1/test/clock')).body.code).toBe('sandbox_capacity');
    await get<TestClock>(first, '/v1/test/clock');
    sandbox.nowMs += 1;
    await get<TestClock>(third, '/v1/test/clock');
    const limit = 'SELECT datconnlimit AS most FROM pg_database WHERE datname = $1';
    const names = { accountId: third, generation: 1 };
    expect(await sandbox.query(limit, [databaseName(sandbox.config, names)])).toEqual([{ most: 40 }]);
  });

  it('stops an idle market, and restores it with the same block and the same alerts', async () => {
    sandbox.nowMs += 1_000;
    const usedAtMs = sandbox.nowMs;
    const wallet = await walletOf(first);
    /** The position at the newest block of the market. */
    const state = async (): Promise<unknown> => {
      const { block } = await get<TestClock>(first, '/v1/test/clock');
      return waitFor(
        async () => {
          const path = `/v1/positions?wallet=${wallet}`;
          const { asOfBlock, blockHash, positions } = await get<PositionList>(first, path);
          const figures = positions.map(({ id, healthFactorRaw }) => ({ id, healthFactorRaw }));
          return asOfBlock['1'] === block && { asOfBlock, blockHash, figures };
        },
        { timeoutMs: EVENT_MS, message: `the position at block ${block}` },
      );
    };
    const alertIds = async (): Promise<string[]> =>
      (await get<AlertList>(first, '/v1/alerts')).alerts.map(({ id }) => id);
    const before = { state: await state(), alerts: await alertIds() };
    sandbox.nowMs += IDLE_MS - 1;
    await sandbox.part(Sandboxes).stopIdle(sandbox.nowMs);
    expect(sandbox.part(Sandboxes)['active'].has(first)).toBe(true);
    sandbox.nowMs += 1;
    await sandbox.part(Sandboxes).stopIdle(sandbox.nowMs);
    expect(sandbox.part(Sandboxes)['active'].has(first)).toBe(false);
    const stored = 'SELECT last_used_at AS used FROM sandboxes WHERE account_id = $1';
    expect((await sandbox.query<{ used: Date }>(stored, [first]))[0]?.used.getTime()).toBe(usedAtMs);
    expect(await state()).toEqual(before.state);
    expect(await alertIds()).toEqual(expect.arrayContaining(before.alerts));
  });

  it('begins a new market after a reset', async () => {
    const options = { as: { scopes: SCOPES }, accountId: first, headers: { 'Idempotency-Key': 'reset' } };
    const reset = waitFor(
      async () => {
        const response = await sandbox.request('POST', '/v1/test/reset', options);
        // A reset that takes longer goes on, and the next request waits for it.
        return response.status !== 504 && response;
      },
      { timeoutMs: EVENT_MS, message: 'the reset' },
    );
    await waitFor(
      () =>
        sandbox
          .part(Sandboxes)
          .use(first, new Deadline())
          .then(
            () => false,
            (error: { code?: string }) => error.code === 'sandbox_starting',
          ),
      { message: 'no market starts during the reset' },
    );
    expect((await reset).body).toEqual({ success: true });
    expect(await get<TestMarket>(first, '/v1/test/market')).toMatchObject({ actions: 0 });
    expect((await get<AlertList>(first, '/v1/alerts')).alerts).toEqual([]);
    const names = await sandbox.kafkaNames();
    const ofFirst = names.flatMap((name) => name.split(`${first}.`)[1]?.split('.')[0] ?? []);
    expect(ofFirst.length).toBeGreaterThan(0);
    expect(ofFirst).not.toContain('1');
  });

  it('removes topics and databases of former generations that a reset left', async () => {
    const { topicPrefix } = sandbox.kafka;
    const left = `${topicPrefix}test.${newTestAccount()}.1.alert.v1`;
    await sandbox.createTopic(left);
    await sandbox.query(`CREATE DATABASE ${databasePrefix(sandbox.config)}left`);
    await sandbox.part(Sandboxes).sweep();
    const names = await sandbox.kafkaNames();
    expect(names).not.toContain(left);
    expect(names.some((name) => name.includes(`${second}.1.`))).toBe(true);
    const databases = await sandbox.query<{ name: string }>('SELECT datname AS name FROM pg_database');
    const own = databases
      .map(({ name }) => name)
      .filter((name) => name.startsWith(databasePrefix(sandbox.config)));
    const kept = databaseName(sandbox.config, { accountId: second, generation: 1 });
    expect([own.includes(kept), own.some((name) => name.endsWith('left'))]).toEqual([true, false]);
  });

  it('429 after 20 resets on a day, with the seconds until the next', async () => {
    await sandbox.query('UPDATE sandboxes SET resets_of_day = 20 WHERE account_id = $1', [first]);
    const { status, body, headers } = await sandbox.send(first, 'POST', '/v1/test/reset');
    expect([status, body.code]).toEqual([429, 'daily_limit_exceeded']);
    const leftMs = 86_400_000 - (sandbox.nowMs % 86_400_000);
    expect(headers.get('retry-after')).toBe(String(Math.ceil(leftMs / 1_000)));
    expect(await get<TestMarket>(first, '/v1/test/market')).toMatchObject({ actions: 0 });
  });
});
