import { createServer, type AddressInfo } from 'node:net';
import { TIER_LIMITS } from '@plimsoll/access';
import {
  type AlertV1,
  type Identity,
  type OneWalletGroup,
  type PositionList,
  type ProblemBody,
  type Tier,
  type WalletGroupList,
  type WatchedWallet,
  type WatchedWalletList,
  newId,
  walletKey,
} from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { loadRegistry } from '@plimsoll/evm';
import { type QueryPlan, planNodes, rowsRead, waitFor } from '@plimsoll/testing';
import { listSql } from '../src/wallets/wallets.repository';
import { getAddress } from 'viem';
import { ServiceFixture, identityOf } from './service-fixture';

const wallet = (index: number): string => `0x${(0xabcdef + index).toString(16).padStart(40, '0')}`;
/** An active alert about a position, without its ids. */
const ALERT = {
  status: 'active',
  type: 'health_factor_warning',
  severity: 'high',
  title: 'Health factor 1.2',
  message: 'The health factor fell.',
  confidenceScore: 0.9,
  createdAt: '2026-11-21T12:00:00.000Z',
  resolvedAt: null,
} as const;
const CHECKSUMMED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Watched wallets need no chain: the node of this one is always unavailable. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Ids of the protocols on the chain. */
async function protocolsOfChain(): Promise<Set<string>> {
  const { protocols } = await loadRegistry();
  return new Set(protocols.filter(({ chains }) => '1' in chains).map(({ id }) => id));
}

jest.setTimeout(30_000);

describe('watched wallets', () => {
  let service: ServiceFixture;

  beforeAll(async () => {
    service = await ServiceFixture.create([{ chainId: 1, rpcUrl: `http://127.0.0.1:${await closedPort()}` }]);
    await service.start();
  }, 60_000);
  afterAll(() => service.close(), 30_000);

  const watch = (as: Identity, address: unknown) =>
    service.call<WatchedWallet & ProblemBody>('POST', '/v1/wallets', as, { address });
  const list = async (as: Identity, query = ''): Promise<WatchedWalletList> =>
    (await service.call<WatchedWalletList>('GET', `/v1/wallets${query}`, as)).body;
  const eventsOf = (as: Identity, address: string) =>
    service.events.wallets.filter(({ key }) => key === walletKey(as.accountId, address));

  describe('POST /v1/wallets', () => {
    it('201 with the record, then 200 with the same record; stored in lower case, shown with its checksum', async () => {
      const me = identityOf('pro');
      const first = await watch(me, CHECKSUMMED);
      const again = await watch(me, CHECKSUMMED.toLowerCase());
      expect(first).toEqual({
        status: 201,
        body: {
          address: CHECKSUMMED,
          enabled: true,
          createdAt: expect.stringMatching(/Z$/),
          label: null,
          walletGroupIds: [],
        },
      });
      expect(again).toEqual({ status: 200, body: first.body });
      const [event] = await waitFor(() => eventsOf(me, CHECKSUMMED).length > 0 && eventsOf(me, CHECKSUMMED), {
        message: 'wallet.v1 is published',
      });
      expect(event?.value).toEqual({
        accountId: me.accountId,
        wallet: CHECKSUMMED.toLowerCase(),
        enabled: true,
        watchedSince: first.body.createdAt,
      });
      expect(eventsOf(me, CHECKSUMMED)).toHaveLength(1);
    });

    it('gives the wallet a name, keeps it when none is sent, changes and removes it', async () => {
      const me = identityOf('pro');
      const name = async (body: object): Promise<[number, string | null]> => {
        const sent = { address: CHECKSUMMED, ...body };
        const { status, body: watched } = await service.call<WatchedWallet>('POST', '/v1/wallets', me, sent);
        return [status, watched.label];
      };
      expect(await name({ label: 'Treasury' })).toEqual([201, 'Treasury']);
      expect(await name({})).toEqual([200, 'Treasury']);
      expect(await name({ label: 'Vault 1' })).toEqual([200, 'Vault 1']);
      expect((await list(me)).wallets.map(({ label }) => label)).toEqual(['Vault 1']);
      expect(await name({ label: '' })).toEqual([200, null]);
      const labels = (): unknown[] => eventsOf(me, CHECKSUMMED).map(({ value }) => value?.label);
      await waitFor(() => labels().length === 3, { message: 'one event for each name' });
      expect(labels()).toEqual(['Treasury', 'Vault 1', undefined]);
    });

    it.each([{ label: 'x'.repeat(65) }, { label: 'two\nlines' }, { label: null }, { label: 7 }])(
      'rejects %j',
      async (body) => {
        const sent = { address: CHECKSUMMED, ...body };
        const { status, body: problem } = await service.call<ProblemBody>(
          'POST',
          '/v1/wallets',
          identityOf('pro'),
          sent,
        );
        expect([status, problem.errors?.[0]?.field]).toEqual([400, 'label']);
      },
    );

    it.each([
      ['a_b.eth', 'invalid_name'],
      ['0x1234', 'invalid_address'],
      [CHECKSUMMED.replace('C51', 'c51'), 'invalid_checksum'],
      [42, 'is_string'],
    ])('400 for %p, naming the field', async (address, code) => {
      const { status, body } = await watch(identityOf('pro'), address);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.errors).toContainEqual(expect.objectContaining({ field: 'address', code }));
    });

    it('400 for an unknown field', async () => {
      const body = { address: CHECKSUMMED, chain: 1 };
      const response = await service.call<ProblemBody>('POST', '/v1/wallets', identityOf('pro'), body);
      expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    });

    it('403 quota_reached at the cap, and one that is watched already stays 200', async () => {
      const me = identityOf('open');
      for (let index = 0; index < 3; index += 1) expect((await watch(me, wallet(index))).status).toBe(201);
      const { status, body } = await watch(me, wallet(3));
      expect([status, body.code]).toEqual([403, 'quota_reached']);
      expect((await watch(me, wallet(0))).status).toBe(200);
    });

    it('many simultaneous requests do not exceed the cap', async () => {
      const me = identityOf('open');
      const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => watch(me, wallet(index))));
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(responses.filter(({ status }) => status === 403)).toHaveLength(9);
      expect((await list(me)).count).toBe(3);
    });

    it('many simultaneous requests for one wallet create one record and one event', async () => {
      const me = identityOf('pro');
      const responses = await Promise.all(Array.from({ length: 6 }, () => watch(me, CHECKSUMMED)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    });
  });

  describe('GET /v1/wallets', () => {
    it('lists newest first, in pages, with the cap, and no wallet of another account', async () => {
      const me = identityOf('pro');
      for (let index = 0; index < 5; index += 1) await watch(me, wallet(index));
      const first = await list(me, '?limit=2');
      expect(first).toMatchObject({ count: 2, limit: TIER_LIMITS.pro.wallets });
      const second = await list(me, `?limit=3&cursor=${first.nextCursor}`);
      expect(second.nextCursor).toBeNull();
      const seen = [...first.wallets, ...second.wallets].map(({ address }) => address);
      expect(seen).toEqual([4, 3, 2, 1, 0].map((index) => getAddress(wallet(index))));
      expect((await list(identityOf('enterprise'))).limit).toBeNull();
    });

    it('400 for a cursor of another list', async () => {
      const response = await service.call<ProblemBody>('GET', '/v1/wallets?cursor=abc', identityOf('pro'));
      expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    });
  });

  describe('wallet groups', () => {
    const group = async (as: Identity, name: string) =>
      (await service.call<OneWalletGroup>('POST', '/v1/wallet-groups', as, { name })).body.walletGroup;
    const groups = async (as: Identity) =>
      (await service.call<WalletGroupList>('GET', '/v1/wallet-groups', as)).body;
    const update = (as: Identity, address: string, body: object) =>
      service.call<WatchedWallet & ProblemBody>('PATCH', `/v1/wallets/${address}`, as, body);
    const addresses = (page: WatchedWalletList) => page.wallets.map(({ address }) => address.toLowerCase());

    it('are created, listed by name, renamed and deleted', async () => {
      const me = identityOf('open');
      const [second, first] = [await group(me, 'Vaults'), await group(me, 'Treasury')];
      expect(await groups(me)).toEqual({ walletGroups: [first, second], count: 2, limit: 100 });
      expect(second).toEqual({ id: second.id, name: 'Vaults', walletCount: 0, createdAt: second.createdAt });
      const url = `/v1/wallet-groups/${second.id}`;
      const rename = (as: Identity, name: string) => service.call<ProblemBody>('PATCH', url, as, { name });
      expect(await rename(me, 'Desk')).toMatchObject({
        status: 200,
        body: { walletGroup: { name: 'Desk' } },
      });
      expect((await rename(me, 'Desk')).status).toBe(200);
      expect((await rename(me, 'Treasury')).body.code).toBe('conflict');
      expect((await rename(identityOf('open'), 'Mine')).status).toBe(404);
      const taken = await service.call<ProblemBody>('POST', '/v1/wallet-groups', me, { name: 'Desk' });
      expect([taken.status, taken.body.code]).toEqual([409, 'conflict']);
      expect((await service.call('DELETE', url, identityOf('open'))).status).toBe(404);
      expect(await service.call('DELETE', url, me)).toEqual({
        status: 200,
        body: { success: true, deleted: second.id },
      });
      expect((await groups(me)).walletGroups).toEqual([first]);
      expect((await groups(identityOf('open'))).walletGroups).toEqual([]);
    });

    it('403 quota_reached above 100', async () => {
      const me = identityOf('open');
      await service.pool.query(
        `INSERT INTO wallet_groups SELECT 'wgr_' || lpad($1 || n, 22, '0'), $2, n, now() FROM generate_series(1, 100) AS n`,
        [me.accountId.slice(-10), me.accountId],
      );
      const { status, body } = await service.call<ProblemBody>('POST', '/v1/wallet-groups', me, {
        name: 'x',
      });
      expect([status, body.code]).toEqual([403, 'quota_reached']);
    });

    it('contain wallets; wallet.v1 names them, and the list filters by them', async () => {
      const me = identityOf('pro');
      const [desk, vaults] = [await group(me, 'Desk'), await group(me, 'Vaults')];
      const body = { address: wallet(50), walletGroupIds: [desk.id] };
      expect(await service.call('POST', '/v1/wallets', me, body)).toMatchObject({
        status: 201,
        body: { walletGroupIds: [desk.id] },
      });
      await watch(me, wallet(51));
      await watch(me, wallet(50));
      const both = { label: 'Hot', walletGroupIds: [desk.id, vaults.id] };
      expect(await update(me, wallet(51), both)).toMatchObject({ status: 200, body: both });
      expect(await update(me, wallet(51), {})).toMatchObject({ status: 200, body: both });
      expect(addresses(await list(me, `?walletGroupId=${desk.id}`))).toEqual([wallet(51), wallet(50)]);
      const first = await list(me, `?walletGroupId=${desk.id}&limit=1`);
      expect(addresses(await list(me, `?walletGroupId=${desk.id}&cursor=${first.nextCursor}`))).toEqual([
        wallet(50),
      ]);
      expect(addresses(await list(me, `?walletGroupId=${vaults.id}`))).toEqual([wallet(51)]);
      expect((await groups(me)).walletGroups.map(({ walletCount }) => walletCount)).toEqual([2, 1]);

      await service.call('DELETE', `/v1/wallet-groups/${desk.id}`, me);
      const groupsOf = (at: number) => eventsOf(me, wallet(at)).map(({ value }) => value?.groupIds);
      await waitFor(() => groupsOf(50).length + groupsOf(51).length === 5, { message: 'wallet.v1' });
      expect(groupsOf(50)).toEqual([[desk.id], undefined]);
      expect(groupsOf(51)).toEqual([undefined, [desk.id, vaults.id], [vaults.id]]);
      expect(addresses(await list(me, `?walletGroupId=${desk.id}`))).toEqual([]);
    });

    it('400 for a group of another account, 404 for a wallet that is not watched', async () => {
      const me = identityOf('pro');
      const [foreign, own] = [await group(identityOf('pro'), 'Theirs'), await group(me, 'Mine')];
      await watch(me, wallet(60));
      const walletGroupIds = [own.id, foreign.id];
      const error = { field: 'walletGroupIds[1]', code: 'unknown_wallet_group' };
      for (const answer of [
        await update(me, wallet(60), { walletGroupIds }),
        await service.call<ProblemBody>('POST', '/v1/wallets', me, { address: wallet(60), walletGroupIds }),
        await service.call<ProblemBody>('POST', '/v1/wallets', me, { address: wallet(61), walletGroupIds }),
      ])
        expect(answer).toMatchObject({ status: 400, body: { errors: [error] } });
      for (const body of [
        { walletGroupIds: ['Mine'] },
        { walletGroupIds: [own.id, own.id] },
        { label: 'a\nb' },
      ])
        expect((await update(me, wallet(60), body)).status).toBe(400);
      expect((await update(me, wallet(61), { label: 'x' })).status).toBe(404);
      const positions = await service.call<ProblemBody>(
        'GET',
        `/v1/positions?walletGroupId=${foreign.id}`,
        me,
      );
      expect(positions.body.errors).toMatchObject([{ field: 'walletGroupId', code: 'unknown_wallet_group' }]);
      const two = await service.call<ProblemBody>(
        'GET',
        `/v1/positions?walletGroupId=${own.id}&wallet=${wallet(60)}`,
        me,
      );
      expect(two.body.errors).toMatchObject([{ field: 'walletGroupId', code: 'unexpected' }]);
    });

    it('the list of a group reads no other wallets', async () => {
      const { accountId } = identityOf('pro');
      await service.pool.query(
        `INSERT INTO watched_wallets SELECT $1, '0x' || lpad(n::text, 40, '0'), false, now(), NULL,
           CASE WHEN n % 200 = 0 THEN ARRAY['wgr_rare'] ELSE ARRAY['wgr_common'] END
         FROM generate_series(1, 20000) AS n`,
        [accountId],
      );
      await service.pool.query('ANALYZE watched_wallets');
      const { text, values } = listSql(accountId, 'wgr_rare', 51, null);
      const { rows } = await service.pool.query<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      const nodes = planNodes(rows[0]!['QUERY PLAN'][0].Plan);
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(1_000);
    });
  });

  describe('the figures of the list', () => {
    it('are unknown while no chain can be read, and count the open alerts of the account', async () => {
      const [me, other] = [identityOf('pro'), identityOf('pro')];
      for (const each of [me, other]) await watch(each, wallet(70));
      await watch(me, wallet(71));
      const alert = (accountId: string, change: Partial<AlertV1> = {}): AlertV1 => ({
        ...ALERT,
        alertId: newId('alt'),
        accountId,
        position: {
          id: newId('pos'),
          healthFactor: 1.2,
          collateralUsd: 7_500,
          debtUsd: 5_000,
          protocol: 'aave-v3',
          chainId: 1,
          wallet: wallet(70),
          band: 'high',
        },
        ...change,
      });
      const [first, second] = [alert(me.accountId), alert(me.accountId)];
      const events = [
        first,
        second,
        alert(other.accountId),
        alert(me.accountId, { position: null }),
        { ...second, status: 'resolved' as const, resolvedAt: second.createdAt },
      ];
      await appendToOutbox(
        service.pool,
        events.map((value) => outgoing('alert.v1', value)),
      );
      const open = async () => (await list(me)).wallets.map(({ openAlerts }) => openAlerts);
      await waitFor(
        async () =>
          (await service.pool.query('SELECT FROM open_alerts WHERE account_id = $1', [other.accountId]))
            .rowCount === 1,
        { message: 'the alerts are stored' },
      );
      await waitFor(async () => (await open()).join() === '0,1', { message: 'one open alert' });
      const page = await list(me);
      expect(page).toMatchObject({ chainStatus: { '1': 'down' }, asOfBlock: {} });
      expect(page.unreadable).not.toEqual([]);
      expect(page.wallets[0]).toMatchObject({
        positionCount: null,
        lowestHealthFactor: null,
        netWorthUsd: null,
      });
    });
  });

  describe('DELETE /v1/wallets/:address', () => {
    it('returns what was deleted and publishes a tombstone', async () => {
      const me = identityOf('pro');
      await watch(me, CHECKSUMMED);
      const response = await service.call('DELETE', `/v1/wallets/${CHECKSUMMED}`, me);
      expect(response).toEqual({ status: 200, body: { success: true, deleted: CHECKSUMMED } });
      await waitFor(() => eventsOf(me, CHECKSUMMED).at(-1)?.value === null, { message: 'a tombstone' });
      expect((await list(me)).wallets).toEqual([]);
    });

    it('404 for one that is not watched, 400 for one that is no address', async () => {
      const me = identityOf('pro');
      await watch(identityOf('pro'), wallet(0));
      expect((await service.call('DELETE', `/v1/wallets/${wallet(0)}`, me)).status).toBe(404);
      expect((await service.call('DELETE', '/v1/wallets/0x12', me)).status).toBe(400);
    });
  });

  describe('account.v1', () => {
    const publishAccount = async ({ accountId }: Identity, tier: Tier): Promise<void> => {
      const { walletsPerQuery: _, ...limits } = TIER_LIMITS[tier];
      const value = { accountId, tier, limits, updatedAt: new Date().toISOString() };
      await appendToOutbox(service.pool, [outgoing('account.v1', value)]);
    };
    const enabled = async (as: Identity): Promise<boolean[]> =>
      (await list(as)).wallets.map((each) => each.enabled).reverse();

    it('a lower cap disables the newest wallets, a delete enables one again, a higher cap all', async () => {
      const me = identityOf('pro');
      for (let index = 0; index < 5; index += 1) await watch(me, wallet(index));
      await publishAccount(me, 'open');
      await waitFor(async () => (await enabled(me)).join() === 'true,true,true,false,false', {
        message: 'the two newest are disabled',
      });
      await waitFor(() => eventsOf(me, wallet(4)).at(-1)?.value?.enabled === false, { message: 'wallet.v1' });

      const open = { ...me, tier: 'open' as const, limits: { wallets: 3, webhooks: 0 } };
      expect((await watch(open, wallet(9))).status).toBe(403);
      await service.call('DELETE', `/v1/wallets/${wallet(0)}`, open);
      expect(await enabled(me)).toEqual([true, true, true, false]);

      await publishAccount(me, 'business');
      await waitFor(async () => (await enabled(me)).every(Boolean), { message: 'all leases are released' });
      await waitFor(() => eventsOf(me, wallet(4)).at(-1)?.value?.enabled === true, { message: 'wallet.v1' });
    });
  });

  describe('GET /v1/positions', () => {
    const ask = async (tier: Tier, wallets: string): Promise<[number, string]> => {
      const url = `/v1/positions?wallet=${wallets}`;
      const { status, body } = await service.call<ProblemBody>('GET', url, identityOf(tier));
      return [status, body.code];
    };
    const many = (count: number): string =>
      Array.from({ length: count }, (_, index) => wallet(index)).join(',');

    it('400 tier_limit_exceeded above 3 wallets on open and above 100 on the others', async () => {
      expect(await ask('open', many(4))).toEqual([400, 'tier_limit_exceeded']);
      expect(await ask('enterprise', many(101))).toEqual([400, 'tier_limit_exceeded']);
    });

    it('400 for an invalid address, even beside valid ones', async () => {
      expect(await ask('pro', `${wallet(1)},0x12`)).toEqual([400, 'invalid_request']);
    });

    it('an empty list for an account that watches nothing, whatever the state of the chains', async () => {
      const response = await service.call('GET', '/v1/positions', identityOf('open'));
      expect(response).toMatchObject({ status: 200, body: { positions: [], nextCursor: null } });
    });
  });

  describe('while no chain can be read', () => {
    it.each([
      ['GET', `/v1/positions?wallet=${wallet(0)}`, undefined],
      ['GET', `/v1/analytics/portfolio?wallet=${wallet(0)}`, undefined],
      ['POST', '/v1/positions/scan', { wallet: wallet(0) }],
      ['POST', '/v1/positions/batch', { wallets: [wallet(0)] }],
    ] as const)(
      '%s %s: 200 that names all of the chain as unreadable, and the chain as down',
      async (method, url, body) => {
        const response = await service.call<PositionList>(method, url, identityOf('business'), body);
        expect(response.status).toBe(200);
        expect(new Set(response.body.unreadable.map(({ protocol }) => protocol))).toEqual(
          await protocolsOfChain(),
        );
        expect(response.body).toMatchObject({ asOfBlock: {}, chainStatus: { '1': 'down' } });
      },
    );

    it('is ready after the first attempt to read the chain', async () => {
      await waitFor(() => service.isReady(), {
        message: 'ready without a chain',
        timeoutMs: 20_000,
      });
    });
  });
});
