import { type LocalEns, connectAnvil, deployEns } from '@plimsoll/devnet';
import {
  type Identity,
  type OneWalletImport,
  type PositionList,
  type ResolvedName,
  type WalletImportProgress,
  type WatchedWallet,
  type WatchedWalletList,
  newId,
} from '@plimsoll/contracts';
import { Clock, NAMES_A_MINUTE } from '@plimsoll/service-kit';
import { type OwnPart, type ServiceResponse, startOwnEvm, waitFor } from '@plimsoll/testing';
import type { Address } from 'viem';
import { ServiceFixture, identityOf } from './service-fixture';

const ADA: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const CACHE_MS = 60_000;

jest.setTimeout(60_000);

describe('ENS names', () => {
  let node: OwnPart;
  let ens: LocalEns;
  let service: ServiceFixture;
  let later = 0;

  beforeAll(async () => {
    node = await startOwnEvm({ chainId: 1 });
    ens = await deployEns(connectAnvil(node.url));
    await ens.register('ada.eth', ADA);
    await ens.register('bob.eth', BOB);
    await ens.register('empty.eth', null);
    await ens.claim(ADA, 'ada.eth');
    await ens.claim(BOB, 'ada.eth');
    service = await ServiceFixture.create([{ chainId: 1, rpcUrl: node.url }]);
    await service.start();
    service.app.get(Clock).now = () => Date.now() + later;
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await node?.dispose();
  }, 30_000);

  const me = identityOf('business');
  const send = <T>(
    method: string,
    path: string,
    { as = me, body, headers }: { as?: Identity; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<ServiceResponse<T>> =>
    service.request<T>(method, path, { as, body, ...(headers && { headers }) });
  const afterTheCache = () => (later += CACHE_MS);
  const mistake = (field: string, code: string) => ({
    status: 400,
    body: { code: 'invalid_request', errors: [{ field, code, message: expect.any(String) }] },
  });

  describe('GET /v1/names/:name', () => {
    it('200 with the address at a block, for any spelling of the name', async () => {
      const { status, body } = await send<ResolvedName>('GET', '/v1/names/Ada.ETH');
      expect([status, body]).toEqual([
        200,
        {
          name: 'ada.eth',
          address: ADA,
          asOfBlock: { '1': expect.any(Number) },
          blockHash: { '1': expect.stringMatching(/^0x[0-9a-f]{64}$/) },
        },
      ]);
    });

    it('200 with the name that an address claims and that has this address; 404 for a claim of another’s name', async () => {
      const found = await send<ResolvedName>('GET', `/v1/names/${ADA}`);
      expect([found.status, found.body]).toMatchObject([200, { name: 'ada.eth', address: ADA }]);
      expect(await send('GET', `/v1/names/${BOB}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    });

    it('404 without an address, 400 for an invalid name or address', async () => {
      for (const name of ['nobody.eth', 'empty.eth'])
        expect(await send('GET', `/v1/names/${name}`)).toMatchObject({
          status: 404,
          body: { code: 'not_found' },
        });
      for (const name of ['a_b.eth', encodeURIComponent('vitаlik.eth'), 'a..eth'])
        expect(await send('GET', `/v1/names/${name}`)).toMatchObject(mistake('name', 'invalid_name'));
      expect(await send('GET', '/v1/names/eth')).toMatchObject(mistake('name', 'invalid_address'));
    });
  });

  it('are accepted by POST /v1/wallets; the wallet stays that of the address when the name moves', async () => {
    const moving = { address: 'moving.eth' };
    await ens.register('moving.eth', ADA);
    const headers = { 'idempotency-key': newId('req') };
    const watched = await send<WatchedWallet>('POST', '/v1/wallets', { body: moving, headers });
    expect([watched.status, watched.body]).toMatchObject([201, { address: ADA }]);
    expect(watched.headers.get('resolved-names')).toMatch(new RegExp(`^moving\\.eth=${ADA};block=\\d+$`));

    await ens.register('moving.eth', BOB);
    afterTheCache();
    const replayed = await send<WatchedWallet>('POST', '/v1/wallets', { body: moving, headers });
    expect([replayed.status, replayed.body]).toMatchObject([201, { address: ADA }]);
    expect((await send('DELETE', '/v1/wallets/moving.eth')).status).toBe(404);
    const other = await send<WatchedWallet>('POST', '/v1/wallets', { body: moving });
    expect([other.status, other.body]).toMatchObject([201, { address: BOB }]);
    const label = await send('PATCH', '/v1/wallets/ada.eth', { body: { label: 'Ada' } });
    expect([label.status, label.body]).toMatchObject([200, { address: ADA, label: 'Ada' }]);
    expect((await send('GET', '/v1/wallets/bob.eth/history')).status).toBe(200);
    const deleted = await send('DELETE', '/v1/wallets/bob.eth');
    expect([deleted.status, deleted.body]).toMatchObject([200, { deleted: BOB }]);
  });

  it('are accepted beside addresses in lists, queries and scans', async () => {
    const list = await send<PositionList>('GET', `/v1/positions?wallet=ada.eth,${BOB}`);
    expect(list.status).toBe(200);
    expect(list.headers.get('resolved-names')).toMatch(/^ada\.eth=0x/);
    const statuses = await Promise.all([
      send('POST', '/v1/positions/scan', { body: { wallet: 'ada.eth' } }),
      send('POST', '/v1/positions/batch', { body: { wallets: ['ada.eth', BOB] } }),
      send('GET', '/v1/analytics/portfolio?wallet=ada.eth'),
      send('GET', '/v1/analytics/historical?wallet=ada.eth'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('name their field in an error', async () => {
    expect(await send('POST', '/v1/wallets', { body: { address: 'nobody.eth' } })).toMatchObject(
      mistake('address', 'name_without_address'),
    );
    expect(await send('POST', '/v1/positions/batch', { body: { wallets: [ADA, 'a_b.eth'] } })).toMatchObject(
      mistake('wallets[1]', 'invalid_name'),
    );
    expect(await send('GET', '/v1/positions?wallet=empty.eth')).toMatchObject(
      mistake('wallet', 'name_without_address'),
    );
    const names = Array.from({ length: 21 }, (_, index) => `n${index}.eth`);
    expect(await send('POST', '/v1/positions/batch', { body: { wallets: names } })).toMatchObject(
      mistake('wallets[20]', 'too_many_names'),
    );
  });

  describe('in rows of an import', () => {
    const imported = async (as: Identity, wallets: readonly object[]): Promise<WalletImportProgress> => {
      const { body } = await send<OneWalletImport>('POST', '/v1/wallets/imports', { as, body: { wallets } });
      const { id } = body.walletImport;
      return waitFor(
        async () => {
          const { body: found } = await send<WalletImportProgress>('GET', `/v1/wallets/imports/${id}`, {
            as,
          });
          return found.walletImport.completedAt !== null && found;
        },
        { timeoutMs: 40_000, message: 'the import ends' },
      );
    };
    const watched = async (as: Identity) =>
      (await send<WatchedWalletList>('GET', '/v1/wallets', { as })).body.wallets.map(({ address, label }) => [
        address,
        label,
      ]);

    it('are the addresses that they have; a row without one is rejected as POST /v1/wallets does', async () => {
      const as = identityOf('business');
      const { walletImport, rejections } = await imported(as, [
        { address: 'ada.eth', label: 'Ada' },
        { address: 'empty.eth' },
        { address: 'a_b.eth' },
        { address: BOB, label: 'Bob' },
        { address: 'Ada.ETH' },
      ]);
      expect(walletImport).toMatchObject({ done: 5, added: 2, alreadyWatched: 1, rejected: 2 });
      expect(rejections.map(({ index, address, field, code }) => [index, address, field, code])).toEqual([
        [1, 'empty.eth', 'address', 'name_without_address'],
        [2, 'a_b.eth', 'address', 'invalid_name'],
      ]);
      expect(await watched(as)).toEqual([
        [BOB, 'Bob'],
        [ADA, 'Ada'],
      ]);
    });

    it('are looked up at 20 in a second, and not from the budget of the account', async () => {
      const as = identityOf('business');
      const names = Array.from({ length: NAMES_A_MINUTE + 1 }, (_, index) => ({ address: `i${index}.eth` }));
      const { walletImport } = await imported(as, names);
      expect(walletImport).toMatchObject({ done: names.length, rejected: names.length });
      const tookMs = Date.parse(walletImport.completedAt!) - Date.parse(walletImport.createdAt);
      expect(tookMs).toBeGreaterThan((Math.ceil(names.length / 20) - 1) * 1_000);
      expect((await send('GET', '/v1/names/one-more.eth', { as })).status).toBe(404);
    });

    it('are tried three times while the node does not respond, and the other rows are imported', async () => {
      afterTheCache();
      const as = identityOf('business');
      process.kill(node.pid, 'SIGSTOP');
      try {
        const { walletImport, rejections } = await imported(as, [{ address: BOB }, { address: 'ada.eth' }]);
        expect(walletImport).toMatchObject({ state: 'completed', done: 2, added: 1, rejected: 1 });
        expect(rejections).toMatchObject([
          { index: 1, address: 'ada.eth', field: 'address', code: 'upstream_unavailable' },
        ]);
        expect(rejections[0]!.message).toContain('Send the address');
      } finally {
        process.kill(node.pid, 'SIGCONT');
      }
    });
  });

  it('429 for an account that looks up too many, and no other; a known name costs nothing', async () => {
    const greedy = identityOf('business');
    const lookUp = async (as: Identity, name: string) =>
      (await send('GET', `/v1/names/${name}`, { as })).status;
    for (let index = 0; index < NAMES_A_MINUTE; index += 1)
      expect(await lookUp(greedy, `g${index}.eth`)).toBe(404);
    const refused = await send('GET', '/v1/names/more.eth', { as: greedy });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await lookUp(greedy, 'g0.eth')).toBe(404);
    expect(await lookUp(me, 'more.eth')).toBe(404);
    afterTheCache();
    expect(await lookUp(greedy, 'more.eth')).toBe(404);
  });

  it('503 while the node does not respond, and 200 again afterwards', async () => {
    afterTheCache();
    process.kill(node.pid, 'SIGSTOP');
    const down = await send('POST', '/v1/wallets', { body: { address: 'ada.eth' } });
    process.kill(node.pid, 'SIGCONT');
    expect(down).toMatchObject({ status: 503, body: { code: 'upstream_unavailable' } });
    expect(down.body.detail).toContain('Send the address');
    expect((await send('GET', '/v1/names/ada.eth')).status).toBe(200);
  });
});

describe('ENS names on a chain without ENS', () => {
  it('503 that names what to do', async () => {
    const node = await startOwnEvm({ chainId: 1 });
    const service = await ServiceFixture.create([{ chainId: 1, rpcUrl: node.url }]);
    try {
      await service.start();
      const { status, body } = await service.call('GET', '/v1/names/ada.eth', identityOf('open'));
      expect([status, body]).toMatchObject([
        503,
        { code: 'upstream_unavailable', detail: expect.stringContaining('no node of mainnet') },
      ]);
    } finally {
      await service.close();
      await node.dispose();
    }
  }, 60_000);
});
