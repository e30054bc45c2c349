import {
  type Identity,
  MOST_IMPORTED_WALLETS,
  type OneWalletGroup,
  type OneWalletImport,
  type WalletImport,
  type WalletImportProgress,
  type WatchedWalletList,
  newId,
  walletKey,
} from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import { type QueryPlan, type ServiceProcess, planNodes, startProcess, waitFor } from '@plimsoll/testing';
import { getAddress } from 'viem';
import { ServiceFixture, identityOf } from './service-fixture';

const wallet = (index: number): string => `0x${(0xabcdef + index).toString(16).padStart(40, '0')}`;
const rows = (count: number, from = 0): { address: string }[] =>
  Array.from({ length: count }, (_, index) => ({ address: wallet(from + index) }));
const MISTYPED = '0x70997970c51812dc3A010C7d01b50e0d17dc79C8';
const WITHOUT_CAP = { wallets: null };

jest.setTimeout(60_000);

describe('imports of wallets', () => {
  let service: ServiceFixture;

  beforeAll(async () => {
    service = await ServiceFixture.withoutNode();
    await service.start();
  }, 60_000);
  afterAll(() => service.close(), 30_000);

  const send = (as: Identity, body: unknown, headers: Record<string, string> = {}) =>
    service.request<OneWalletImport>('POST', '/v1/wallets/imports', { as, body, headers });
  const progress = (as: Identity, id: string, query = '') =>
    service.request<WalletImportProgress>('GET', `/v1/wallets/imports/${id}${query}`, { as });
  const ended = async (as: Identity, id: string): Promise<WalletImportProgress> => {
    const isOver = async () => {
      const { body } = await progress(as, id);
      return body.walletImport.completedAt !== null && body;
    };
    return waitFor(isOver, { timeoutMs: 150_000, message: `the import ${id} ends` });
  };
  const imported = async (as: Identity, body: unknown): Promise<WalletImportProgress> => {
    const { status, body: created } = await send(as, body);
    expect(status).toBe(202);
    return ended(as, created.walletImport.id);
  };
  const list = async (as: Identity, query = ''): Promise<WatchedWalletList> =>
    (await service.request<WatchedWalletList>('GET', `/v1/wallets${query}`, { as })).body;
  const watchedBy = async ({ accountId }: Identity): Promise<string[]> => {
    const found = await service.query<{ address: string }>(
      'SELECT address FROM watched_wallets WHERE account_id = $1 ORDER BY address',
      [accountId],
    );
    return found.map(({ address }) => address);
  };
  const eventsOf = (as: Identity) =>
    service.events.wallets.filter(({ key }) => key.startsWith(walletKey(as.accountId, '')));
  const group = async (as: Identity, name: string): Promise<string> => {
    const options = { as, body: { name } };
    return (await service.request<OneWalletGroup>('POST', '/v1/wallet-groups', options)).body.walletGroup.id;
  };

  it('watches the wallets, and rejects rows with their index and reason as POST /v1/wallets does', async () => {
    const [me, other] = [identityOf('pro'), identityOf('pro')];
    const [desk, foreign] = [await group(me, 'Desk'), await group(other, 'Theirs')];
    await service.call('POST', '/v1/wallets', me, { address: wallet(0), label: 'Old' });
    const wallets = [
      { address: wallet(0), label: 'New' },
      { address: MISTYPED },
      { address: wallet(1), label: 'two\nlines' },
      { address: wallet(2), walletGroupIds: [] },
      { address: wallet(3), walletGroupIds: [foreign] },
      { address: wallet(4).toUpperCase().replace('0X', '0x') },
      { address: wallet(4) },
      { address: 'vitalik.eth' },
      { address: wallet(5), walletGroupIds: ['Desk'] },
    ];
    const { walletImport, ...page } = await imported(me, { wallets, walletGroupIds: [desk] });
    expect(walletImport).toMatchObject({
      state: 'completed',
      total: 9,
      done: 9,
      added: 2,
      alreadyWatched: 2,
      rejected: 5,
    });
    const rejection = (index: number, field: string, code: string) => ({
      index,
      address: wallets[index]!.address,
      field,
      code,
      message: expect.any(String),
    });
    expect(page).toEqual({
      rejections: [
        rejection(1, 'address', 'invalid_checksum'),
        rejection(2, 'label', 'matches'),
        rejection(4, 'walletGroupIds[0]', 'unknown_wallet_group'),
        // No node responds, and the other rows do not wait for it.
        rejection(7, 'address', 'upstream_unavailable'),
        rejection(8, 'walletGroupIds[0]', 'matches'),
      ],
      count: 5,
      nextCursor: null,
    });
    const { wallets: watched } = await list(me);
    expect(watched.map(({ address, label, walletGroupIds }) => [address, label, walletGroupIds])).toEqual([
      [getAddress(wallet(4)), null, [desk]],
      [getAddress(wallet(2)), null, []],
      [getAddress(wallet(0)), 'New', [desk]],
    ]);
    await waitFor(() => eventsOf(me).length === 4, { message: 'wallet.v1 of each change' });
    expect(await watchedBy(other)).toEqual([]);
  });

  it('rejects rows above the cap of the tier, and none that are watched already', async () => {
    const me = identityOf('open');
    await service.call('POST', '/v1/wallets', me, { address: wallet(3) });
    const { walletImport, rejections } = await imported(me, { wallets: rows(5) });
    expect(walletImport).toMatchObject({ added: 2, alreadyWatched: 1, rejected: 2 });
    expect(rejections).toMatchObject([
      { index: 2, field: null, code: 'quota_reached' },
      { index: 4, field: null, code: 'quota_reached' },
    ]);
    expect(await watchedBy(me)).toEqual([0, 1, 3].map(wallet));
  });

  it('applies a cap that account.v1 lowered after the request', async () => {
    const me = identityOf('business');
    await service.pool.query(
      `INSERT INTO accounts (account_id, wallets_cap, updated_at) VALUES ($1, 2, now() + interval '1 minute')`,
      [me.accountId],
    );
    const { walletImport } = await imported(me, { wallets: rows(4) });
    expect(walletImport).toMatchObject({ added: 2, rejected: 2 });
  });

  it('takes 10,000 wallets in a body of 1 MiB, pages the rejected rows, and counts each row once', async () => {
    const me = identityOf('enterprise', WITHOUT_CAP);
    const label = 'x'.repeat(36);
    const wallets = rows(MOST_IMPORTED_WALLETS).map(({ address }, index) =>
      index % 40 === 7 ? { address: `${address}0`, label } : { address, label },
    );
    const bytes = JSON.stringify({ wallets, walletGroupIds: [] }).length;
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(1_048_576);
    const { walletImport, rejections, nextCursor } = await imported(me, { wallets, walletGroupIds: [] });
    expect(walletImport).toMatchObject({ total: 10_000, done: 10_000, added: 9_750, rejected: 250 });
    expect(rejections).toHaveLength(50);
    const rest = await progress(me, walletImport.id, `?limit=200&cursor=${nextCursor}`);
    expect(rest.body).toMatchObject({ count: 200, nextCursor: null });
    expect([...rejections, ...rest.body.rejections].map(({ index }) => index)).toEqual(
      Array.from({ length: 250 }, (_, at) => at * 40 + 7),
    );
    expect(await watchedBy(me)).toHaveLength(9_750);
    const stored = await service.query('SELECT FROM wallet_import_rows WHERE import_id = $1', [
      walletImport.id,
    ]);
    expect(stored).toHaveLength(250);
  }, 180_000);

  it('an import of another account does not wait for a large one', async () => {
    const [large, small] = [identityOf('enterprise', WITHOUT_CAP), identityOf('pro')];
    const first = (await send(large, { wallets: rows(5_000) })).body.walletImport;
    const second = (await send(large, { wallets: rows(5_000, 5_000) })).body.walletImport;
    await waitFor(async () => (await progress(large, first.id)).body.walletImport.state === 'running', {
      message: 'the large import runs',
    });
    await imported(small, { wallets: rows(20) });
    expect((await progress(large, first.id)).body.walletImport.state).toBe('running');
    expect((await progress(large, second.id)).body.walletImport.state).toBe('pending');
    await service.pool.query('DELETE FROM wallet_imports WHERE account_id = $1', [large.accountId]);
  });

  it('400 for rows without the form of a wallet, with their index, and nothing is imported', async () => {
    const me = identityOf('pro');
    const wallets = [
      { address: wallet(0) },
      7,
      { address: wallet(1), lable: 'x' },
      { label: 'x' },
      { address: wallet(2), label: null, walletGroupIds: 'Desk' },
    ];
    const { status, body } = await send(me, { wallets });
    expect(status).toBe(400);
    expect(body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['wallets[1]', 'is_object'],
      ['wallets[2].lable', 'unknown_field'],
      ['wallets[3].address', 'is_string'],
      ['wallets[4].label', 'is_string'],
      ['wallets[4].walletGroupIds', 'is_array'],
    ]);
    expect(await watchedBy(me)).toEqual([]);
  });

  it.each([
    [{}, 'wallets', 'is_array'],
    [{ wallets: [] }, 'wallets', 'array_min_size'],
    [{ wallets: { 0: {} } }, 'wallets', 'is_array'],
    [{ wallets: rows(MOST_IMPORTED_WALLETS + 1) }, 'wallets', 'array_max_size'],
    [{ wallets: Array.from({ length: 60_000 }, () => 1) }, '', 'too_large'],
    [{ wallets: rows(1), walletGroupIds: [newId('wgr')] }, 'walletGroupIds[0]', 'unknown_wallet_group'],
    [{ wallets: rows(1), group: 'x' }, 'group', 'unknown_field'],
  ])('400 that names the field of an invalid body (%#)', async (sent, field, code) => {
    const { status, body } = await send(identityOf('pro'), sent);
    expect([status, body.errors?.[0]?.field, body.errors?.[0]?.code]).toEqual([400, field, code]);
  });

  it('an Idempotency-Key begins one import', async () => {
    const me = identityOf('pro');
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [
      await send(me, { wallets: rows(2) }, headers),
      await send(me, { wallets: rows(2) }, headers),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await send(me, { wallets: rows(3) }, headers)).status).toBe(409);
    expect(
      await service.query('SELECT FROM wallet_imports WHERE account_id = $1', [me.accountId]),
    ).toHaveLength(1);
  });

  it('403 quota_reached for a fourth import while three have not ended; the oldest of 20 is deleted', async () => {
    const me = identityOf('enterprise', WITHOUT_CAP);
    const insert = (count: number, isOpen: boolean) =>
      service.pool.query(
        `INSERT INTO wallet_imports (id, account_id, total, turn_at, completed_at)
         SELECT 'imp_' || lpad($1 || n, 22, '0'), $2, 1, 'infinity', $3 FROM generate_series(101, 100 + $4) AS n`,
        [me.accountId.slice(-12), me.accountId, isOpen ? null : new Date(), count],
      );
    await insert(3, true);
    const { status, body } = await send(me, { wallets: rows(1) });
    expect([status, body.code]).toEqual([403, 'quota_reached']);
    await service.pool.query('DELETE FROM wallet_imports WHERE account_id = $1', [me.accountId]);
    await insert(25, false);
    expect((await send(me, { wallets: rows(1) })).status).toBe(202);
    expect(
      await service.query('SELECT FROM wallet_imports WHERE account_id = $1', [me.accountId]),
    ).toHaveLength(20);
  });

  it('404 for an import of another account, and for none', async () => {
    const { id } = (await send(identityOf('pro'), { wallets: rows(1) })).body.walletImport;
    for (const unknown of [id, newId('imp'), 'imp_x'])
      expect((await progress(identityOf('pro'), unknown)).status).toBe(404);
    const me = identityOf('pro');
    const own = await imported(me, { wallets: rows(1) });
    for (const cursor of ['abc', Buffer.from('["x"]').toString('base64url')])
      expect((await progress(me, own.walletImport.id, `?cursor=${cursor}`)).status).toBe(400);
    for (const place of [1e300, -5, 0.5]) {
      const cursor = Buffer.from(JSON.stringify([place])).toString('base64url');
      expect((await progress(me, own.walletImport.id, `?cursor=${cursor}`)).status).toBe(200);
    }
  });

  it('ends as failed when rows cannot be stored ten times in a row, and then the next import begins', async () => {
    const me = identityOf('pro');
    await service.pool.query(
      `INSERT INTO wallet_imports (id, account_id, total, failures) VALUES ($1, $2, 1, 9)`,
      ['imp_0000000000000000000bad', me.accountId],
    );
    await service.pool.query(`INSERT INTO wallet_import_rows VALUES ('imp_0000000000000000000bad', 0, '{}')`);
    await service.pool.query(
      `ALTER TABLE wallet_import_rows ADD CONSTRAINT unstored CHECK (code IS NULL OR import_id <> 'imp_0000000000000000000bad')`,
    );
    await service.pool.query('INSERT INTO accounts (account_id) VALUES ($1)', [me.accountId]);
    const { body } = await send(me, { wallets: rows(1) });
    expect((await ended(me, body.walletImport.id)).walletImport.state).toBe('completed');
    expect((await ended(me, 'imp_0000000000000000000bad')).walletImport).toMatchObject({
      state: 'failed',
      done: 0,
    });
  });

  it('reads no other imports to find the next turn or the rejected rows', async () => {
    await service.pool.query(
      `INSERT INTO wallet_imports (id, account_id, total, done, state, completed_at)
       SELECT 'imp_' || lpad('many' || n, 22, '0'), 'acc_' || n % 500, 1, 1, 'completed', now() FROM generate_series(1, 20000) AS n`,
    );
    await service.pool.query(
      `INSERT INTO wallet_import_rows SELECT 'imp_' || lpad('many' || n, 22, '0'), r, '{}', 'address', 'is_string', ''
       FROM generate_series(1, 200) AS n, generate_series(0, 99) AS r`,
    );
    await service.pool.query('ANALYZE wallet_imports, wallet_import_rows');
    const { NEXT_TURN, REJECTIONS } = await import('../src/wallet-imports/wallet-imports.repository');
    for (const [sql, values] of [
      [NEXT_TURN, []],
      [REJECTIONS, [`imp_${'many7'.padStart(22, '0')}`, 3, 100, 51]],
    ] as const) {
      const [plan] = await service.query<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
        [...values],
      );
      const nodes = planNodes(plan!['QUERY PLAN'][0].Plan);
      const scans = nodes
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => node['Relation Name']);
      expect(scans.filter((name) => name?.startsWith('wallet_import'))).toEqual([]);
    }
  });
});

describe('an import of wallets whose service is killed', () => {
  it('continues in another process, and watches each wallet once', async () => {
    const service = await ServiceFixture.withoutNode();
    await service.start({}, { consumes: false });
    const me = identityOf('enterprise', WITHOUT_CAP);
    const { body } = await service.request<OneWalletImport>('POST', '/v1/wallets/imports', {
      as: me,
      body: { wallets: rows(3_000) },
    });
    const { id } = body.walletImport;
    await service.stop();
    const state = async (): Promise<Pick<WalletImport, 'done' | 'added' | 'state'>> =>
      (
        await service.query<WalletImport>('SELECT done, added, state FROM wallet_imports WHERE id = $1', [id])
      )[0]!;
    const children: ServiceProcess[] = [];
    try {
      for (let kills = 0; kills < 3; kills += 1) {
        const before = (await state()).done;
        const child = await startProcess(
          'positions',
          {
            PATH: process.env['PATH'] ?? '',
            PORT: String(await findFreePort()),
            LOG_LEVEL: 'warn',
            IDENTITY_KEYS_FOLDER: service.config.IDENTITY_KEYS_FOLDER,
            DATABASE_URL: service.database.url,
            KAFKA_BROKERS: service.kafka.brokers.join(','),
            KAFKA_TOPIC_PREFIX: service.kafka.topicPrefix,
            RPC_URL_1: `http://127.0.0.1:${await findFreePort()}`,
          },
          'live',
        );
        children.push(child);
        await waitFor(async () => (await state()).done > before, {
          intervalMs: 5,
          message: 'a batch is done',
        });
        await child.end('SIGKILL');
      }
      expect((await state()).state).toBe('running');
      await service.start();
      await waitFor(async () => (await state()).state === 'completed', {
        timeoutMs: 30_000,
        message: 'it ends',
      });
      expect(await state()).toMatchObject({ done: 3_000, added: 3_000 });
      const watched = await service.query('SELECT FROM watched_wallets WHERE account_id = $1', [
        me.accountId,
      ]);
      expect(watched).toHaveLength(3_000);
      const events = () =>
        service.events.wallets.filter(({ key }) => key.startsWith(walletKey(me.accountId, '')));
      // A process that is killed after it published an event publishes it again.
      const eventIds = (): Set<string> => new Set(events().map(({ id: eventId }) => eventId));
      await waitFor(() => eventIds().size >= 3_000, { timeoutMs: 30_000, message: 'wallet.v1 of each' });
      expect(eventIds().size).toBe(3_000);
      expect(new Set(events().map(({ key }) => key)).size).toBe(3_000);
    } finally {
      for (const child of children) await child.end('SIGKILL');
      await service.close();
    }
  }, 180_000);
});
