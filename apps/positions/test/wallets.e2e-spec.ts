import { createServer, type AddressInfo } from 'node:net';
import { TIER_LIMITS } from '@plimsoll/access';
import {
  type Identity,
  type PositionList,
  type ProblemBody,
  type Tier,
  type WatchedWallet,
  type WatchedWalletList,
  walletKey,
} from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { loadRegistry } from '@plimsoll/evm';
import { waitFor } from '@plimsoll/testing';
import { getAddress } from 'viem';
import { ServiceFixture, identityOf } from './service-fixture';

const wallet = (index: number): string => `0x${(0xabcdef + index).toString(16).padStart(40, '0')}`;
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
        body: { address: CHECKSUMMED, enabled: true, createdAt: expect.stringMatching(/Z$/), label: null },
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
      ['vitalik.eth', 'invalid_address'],
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
