import type { PositionBatch, PositionList, PositionScan, ProblemBody } from '@plimsoll/contracts';
import { SEED_PLANS } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import type { ChainFixture } from './chain-fixture';
import { type ServiceFixture, identityOf } from './service-fixture';
import { startTwoChains } from './two-chains-fixture';

jest.setTimeout(30_000);

const PLANS = SEED_PLANS.slice(0, 3);
const UNKNOWN_WALLET = `0x${'ee'.repeat(20)}`;
/** Never requested while the chain was up, so nothing of it is stored. */
const UNSEEN = `0x${'dd'.repeat(20)}`;

describe('scans', () => {
  let chains: ChainFixture[];
  let service: ServiceFixture;
  const me = identityOf('business');
  const scan = (body: object) =>
    service.call<PositionScan & ProblemBody>('POST', '/v1/positions/scan', me, body);
  const batch = (wallets: string[]) =>
    service.call<PositionBatch>('POST', '/v1/positions/batch', me, { wallets });
  const wallet = (index: number): string => chains[0]!.wallets[index]!.address;

  beforeAll(async () => {
    ({ chains, service } = await startTwoChains(PLANS));
    await service.start();
    await waitFor(async () => (await scan({ wallet: wallet(0) })).body.positions?.length === 2, {
      message: 'both chains are read',
    });
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await Promise.all((chains ?? []).map((chain) => chain.close()));
  }, 60_000);

  describe('POST /v1/positions/scan', () => {
    it('has the positions of all chains, with their totals, protocols and blocks', async () => {
      const { status, body } = await scan({ wallet: wallet(0) });
      expect(status).toBe(200);
      expect(body.positions.map(({ chainId }) => chainId).sort()).toEqual([1, 42161]);
      const sum = body.positions.reduce((total, each) => total + each.totalCollateralUsd, 0);
      expect(body.totalCollateralUsd).toBeCloseTo(sum, 6);
      expect(body.totalDebtUsd).toBeGreaterThan(0);
      expect(body.protocols).toEqual(['aave-v3']);
      expect(Object.keys(body.asOfBlock)).toEqual(['1', '42161']);
      expect(body.unreadable).toEqual([]);
    });

    it('reads only the named chains, and reports which of them have no node here', async () => {
      const { body } = await scan({ wallet: wallet(0), chains: [42161, 130, 130] });
      expect(body.chainStatus).toEqual({ '42161': 'operational', '130': 'unconfigured' });
      expect(body.positions.map(({ chainId }) => chainId)).toEqual([42161]);
      expect(Object.keys(body.asOfBlock)).toEqual(['42161']);
      expect(body.unreadable.length).toBeGreaterThan(0);
      for (const each of body.unreadable)
        expect(each).toMatchObject({ chainId: 130, reason: 'unconfigured' });
      expect(new Set(body.unreadable.map(({ protocol }) => protocol)).size).toBe(body.unreadable.length);
    });

    it('an empty list and totals of 0 for a wallet that holds nothing', async () => {
      const { body } = await scan({ wallet: UNKNOWN_WALLET });
      expect(body).toMatchObject({ positions: [], totalCollateralUsd: 0, totalDebtUsd: 0, protocols: [] });
    });

    it('stores the positions that it returned, so that each id can be requested', async () => {
      const { body } = await scan({ wallet: wallet(1), chains: [1] });
      const response = await service.call('GET', `/v1/positions/${body.positions[0]!.id}`, me);
      expect(response.status).toBe(200);
    });
  });

  describe('POST /v1/positions/batch', () => {
    it('has the positions of all wallets, lowest health factor first, and counts a wallet once', async () => {
      const wallets = [0, 1, 2].map(wallet);
      const { status, body } = await batch([...wallets, wallets[0]!.toLowerCase(), UNKNOWN_WALLET]);
      expect(status).toBe(200);
      expect(body).toMatchObject({ count: 6, walletsQueried: 4, unreadable: [] });
      const factors = body.positions.map(({ healthFactor }) => healthFactor!);
      expect(factors).toEqual(factors.toSorted((a, b) => a - b));
      const listed = await service.call<PositionList>('GET', `/v1/positions?wallet=${wallets.join()}`, me);
      expect(body.positions.map(({ id }) => id)).toEqual(listed.body.positions.map(({ id }) => id));
    });

    it('accepts 100 wallets', async () => {
      const many = Array.from(
        { length: 100 },
        (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`,
      );
      expect((await batch(many)).body).toMatchObject({ count: 0, walletsQueried: 100, unreadable: [] });
    });
  });

  describe('a chain whose node no longer responds', () => {
    let seenThere: string;
    beforeAll(async () => {
      const { body } = await scan({ wallet: wallet(2), chains: [42161] });
      seenThere = body.positions[0]!.id;
    });
    afterAll(() => chains[1]?.resume());

    it('does not delay the other chain, and is named', async () => {
      chains[1]!.pause();
      await chains[0]!.rpc('evm_mine', []);
      const begun = performance.now();
      const { status, body } = await scan({ wallet: UNSEEN });
      expect(performance.now() - begun).toBeLessThan(6_000);
      expect(status).toBe(200);
      expect(body.unreadable).toMatchObject([{ protocol: 'aave-v3', chainId: 42161 }]);
      // Its last head is still recent, but this read is known to have failed.
      expect(body.chainStatus).toEqual({ '1': 'operational', '42161': 'degraded' });
      const { body: both } = await batch([wallet(0), UNSEEN]);
      expect(both.positions.map(({ chainId }) => chainId)).toContain(1);
      expect(both.unreadable).toMatchObject([{ protocol: 'aave-v3', chainId: 42161 }]);
    });

    it('200 with unreadable if it is the only chain, because an empty list would mean no holdings', async () => {
      const { status, body } = await scan({ wallet: UNSEEN, chains: [42161] });
      expect([status, body.positions]).toEqual([200, []]);
      expect(body.unreadable).toMatchObject([{ protocol: 'aave-v3', chainId: 42161 }]);
    });

    it('reports a chain whose head is no longer known as down, and the other as operational', async () => {
      const { chainStatus } = await waitFor(
        async () => {
          const { body } = await scan({ wallet: UNSEEN });
          return body.chainStatus['42161'] === 'down' && body;
        },
        { message: 'the chain is down', timeoutMs: 20_000 },
      );
      expect(chainStatus['1']).not.toBe('down');
    });

    it('GET /v1/positions/:id of an unreadable position without a stored state: 503, not closed', async () => {
      const response = await service.call<ProblemBody>('GET', `/v1/positions/${seenThere}`, me);
      expect([response.status, response.body.code]).toEqual([503, 'upstream_unavailable']);
    });
  });
});
