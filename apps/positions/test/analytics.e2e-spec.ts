import type {
  HistoricalSnapshots,
  NetWorthHistory,
  OneWalletGroup,
  PortfolioAnalytics,
  PositionList,
  PositionScan,
  ProblemBody,
  WatchedWalletList,
} from '@plimsoll/contracts';
import { SEED_PLANS, setPrice } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import { type ChainFixture, startChain } from './chain-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(30_000);

const UNKNOWN_WALLET = `0x${'ee'.repeat(20)}`;

describe('analytics', () => {
  let chain: ChainFixture;
  let service: ServiceFixture;
  const me = identityOf('business');
  const another = identityOf('enterprise');
  const wallet = (index: number): string => chain.wallets[index]!.address;
  const ask = <T>(path: string, as = me) => service.call<T & ProblemBody>('GET', `/v1/analytics/${path}`, as);
  const history = async (query = '', as = me): Promise<HistoricalSnapshots> =>
    (await ask<HistoricalSnapshots>(`historical${query}`, as)).body;

  beforeAll(async () => {
    const beside = SEED_PLANS.find(({ label }) => label === 'supplied but not collateral')!;
    chain = await startChain(1, [...SEED_PLANS.slice(0, 3), beside]);
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    service.config.SNAPSHOT_INTERVAL_MS = 1_000;
    await service.start();
    for (const index of [0, 1]) await service.call('POST', '/v1/wallets', me, { address: wallet(index) });
    await service.call('POST', '/v1/wallets', another, { address: wallet(2) });
    for (const index of [0, 1, 2]) await service.waitForPosition(wallet(index), () => true);
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  describe('GET /v1/wallets', () => {
    it('shows the figures of the positions of each wallet', async () => {
      const { body: list } = await service.call<PositionList>('GET', '/v1/positions', me);
      const { body } = await service.call<WatchedWalletList>('GET', '/v1/wallets', me);
      const figures = list.positions.map(({ wallet: address, healthFactor, netWorthUsd }) => ({
        address,
        positionCount: 1,
        lowestHealthFactor: healthFactor,
        netWorthUsd,
        openAlerts: 0,
      }));
      expect(body.wallets).toHaveLength(2);
      for (const expected of figures)
        expect(body.wallets.find(({ address }) => address === expected.address)).toMatchObject(expected);
      expect(body).toMatchObject({ asOfBlock: list.asOfBlock, unreadable: [] });
    });

    it('a wallet group filters positions', async () => {
      const name = { name: 'Group' };
      const { body } = await service.call<OneWalletGroup>('POST', '/v1/wallet-groups', me, name);
      const walletGroupIds = [body.walletGroup.id];
      const listed = async () => {
        const url = `/v1/positions?walletGroupId=${body.walletGroup.id}`;
        const { positions } = (await service.call<PositionList>('GET', url, me)).body;
        return positions.map((position) => position.wallet);
      };
      expect(await listed()).toEqual([]);
      await service.call('PATCH', `/v1/wallets/${wallet(1)}`, me, { walletGroupIds });
      expect(await listed()).toEqual([wallet(1)]);
    });
  });

  describe('GET /v1/analytics/portfolio', () => {
    it('sums up the positions of the watched wallets', async () => {
      const { body: list } = await service.call<PositionList>('GET', '/v1/positions', me);
      const { status, body } = await ask<PortfolioAnalytics>('portfolio');
      expect(status).toBe(200);
      const sum = (of: (each: PositionList['positions'][number]) => number): number =>
        list.positions.reduce((total, each) => total + of(each), 0);
      const { portfolio } = body;
      expect(portfolio.totalPositions).toBe(2);
      expect(portfolio.totalCollateralUsd).toBeCloseTo(
        sum(({ totalCollateralUsd }) => totalCollateralUsd),
        4,
      );
      expect(portfolio.totalDebtUsd).toBeCloseTo(
        sum(({ totalDebtUsd }) => totalDebtUsd),
        4,
      );
      expect(portfolio.netWorthUsd).toBeCloseTo(portfolio.totalSuppliedUsd - portfolio.totalDebtUsd, 4);
      const factors = list.positions.map(({ healthFactor }) => healthFactor!);
      expect(portfolio.lowestHealthFactor).toBe(Math.min(...factors));
      expect(portfolio.medianHealthFactor).toBeCloseTo((factors[0]! + factors[1]!) / 2, 12);
      expect(portfolio.debtWeightedHealthFactor).toBeCloseTo(
        sum(({ healthFactor, totalDebtUsd }) => healthFactor! * totalDebtUsd) / portfolio.totalDebtUsd,
        9,
      );
      expect(portfolio.avgHealthFactor).toBeCloseTo(sum(({ healthFactor }) => healthFactor!) / 2, 9);
      expect(body).toMatchObject({ asOfBlock: list.asOfBlock, unreadable: [] });
    });

    it('is limited to wallets, or to one position', async () => {
      const ofWallet = await ask<PortfolioAnalytics>(`portfolio?wallet=${wallet(0)}`);
      expect(ofWallet.body.portfolio.totalPositions).toBe(1);
      const { body: list } = await service.call<PositionList>('GET', `/v1/positions?wallet=${wallet(0)}`, me);
      const ofOne = await ask<PortfolioAnalytics>(`portfolio?positionId=${list.positions[0]!.id}`);
      expect(ofOne.body.portfolio).toEqual(ofWallet.body.portfolio);
    });

    it('counts supplies that are not collateral towards the net worth, as the scan does', async () => {
      const { body } = await ask<PortfolioAnalytics>(`portfolio?wallet=${wallet(3)}`);
      const { totalCollateralUsd, totalSuppliedUsd, totalDebtUsd, netWorthUsd } = body.portfolio;
      expect(totalCollateralUsd).toBeCloseTo(49_000, 0);
      expect(totalSuppliedUsd).toBeCloseTo(70_000, 0);
      expect(netWorthUsd).toBeCloseTo(totalSuppliedUsd - totalDebtUsd, 6);
      const { body: scan } = await service.call<PositionScan>('POST', '/v1/positions/scan', me, {
        wallet: wallet(3),
      });
      expect(scan).toMatchObject({ totalCollateralUsd, totalSuppliedUsd, totalDebtUsd, netWorthUsd });
      const { body: list } = await service.call<PositionList>(
        'GET',
        `/v1/positions?wallet=${wallet(3)}&include=assets`,
        me,
      );
      const [position] = list.positions;
      const supplied = (position?.collateralAssets ?? []).reduce((sum, { usdValue }) => sum + usdValue, 0);
      expect(position).toMatchObject({ totalCollateralUsd, totalDebtUsd, netWorthUsd, isDust: false });
      expect(position?.totalSuppliedUsd).toBeCloseTo(supplied, 6);
    });

    it('zeros and no mean for an account that watches nothing', async () => {
      const { body } = await ask<PortfolioAnalytics>('portfolio', identityOf('pro'));
      expect(body.portfolio).toMatchObject({ totalPositions: 0, netWorthUsd: 0, avgHealthFactor: null });
    });

    it.each([
      ['?wallet=0x12', '400 wallet'],
      [`?wallet=${UNKNOWN_WALLET}&positionId=pos_1`, '400 positionId'],
      ['?positionId=pos_1', '404 '],
    ])('%s is %s', async (query, expected) => {
      const { status, body } = await ask(`portfolio${query}`);
      expect(`${status} ${body.errors?.[0]?.field ?? ''}`).toBe(expected);
    });
  });

  describe('GET /v1/analytics/history', () => {
    it('has the net worth and the lowest health factor of the portfolio now', async () => {
      const sampled = async (): Promise<NetWorthHistory> =>
        (await ask<NetWorthHistory>('history?limit=1')).body;
      await waitFor(async () => (await sampled()).history[0]?.gap === null, { message: 'all are sampled' });
      const { portfolio } = (await ask<PortfolioAnalytics>('portfolio')).body;
      const [now] = (await sampled()).history;
      expect(now).toMatchObject({ positions: 2, positionsMissing: 0 });
      expect(now?.netWorthUsd).toBeCloseTo(portfolio.netWorthUsd, 0);
      expect(now?.lowestHealthFactor).toBeCloseTo(portfolio.lowestHealthFactor!, 3);
      const beside = await service.call<NetWorthHistory>('GET', `/v1/wallets/${wallet(2)}/history`, me);
      expect(beside.status).toBe(404);
    });
  });

  describe('GET /v1/analytics/historical', () => {
    it('has a snapshot at the first read and one an interval without a change, newest first', async () => {
      const { snapshots } = await waitFor(
        async () => {
          const found = await history();
          return found.count >= 6 && found;
        },
        { message: 'two positions over three intervals' },
      );
      const times = snapshots.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted().toReversed());
      expect(new Set(snapshots.map(({ positionId }) => positionId)).size).toBe(2);
      const { body: list } = await service.call<PositionList>('GET', '/v1/positions', me);
      for (const { id, healthFactorRaw, totalDebtUsd } of list.positions)
        expect(snapshots.find(({ positionId }) => positionId === id)).toMatchObject({
          healthFactorRaw,
          debtUsd: totalDebtUsd,
        });
    });

    it('stores a material change with its block', async () => {
      const { blockNumber } = await setPrice(chain.node.url, chain.addresses, 'ETH', 2_000);
      await waitFor(
        async () => (await history()).snapshots.some(({ block }) => block === Number(blockNumber)),
        {
          message: 'the change is in the history',
        },
      );
    });

    it('continues from the cursor, without a gap or a duplicate', async () => {
      const { days, maxDays } = await history('?limit=1');
      expect([days, maxDays]).toEqual([30, 90]);
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null && pages < 4; pages += 1) {
        const page: HistoricalSnapshots = await history(`?limit=2&cursor=${cursor}`);
        seen.push(...page.snapshots.map(({ positionId, createdAt }) => `${createdAt} ${positionId}`));
        cursor = page.nextCursor;
      }
      const all = (await history('?limit=200')).snapshots.map(
        ({ positionId, createdAt }) => `${createdAt} ${positionId}`,
      );
      expect(all.slice(all.indexOf(seen[0]!), all.indexOf(seen[0]!) + seen.length)).toEqual(seen);
    });

    it('is limited to a wallet, or to a position', async () => {
      const ofWallet = await history(`?wallet=${wallet(1)}`);
      const ids = new Set(ofWallet.snapshots.map(({ positionId }) => positionId));
      expect(ids.size).toBe(1);
      const ofOne = await history(`?positionId=${[...ids][0]}&limit=3`);
      expect(new Set(ofOne.snapshots.map(({ positionId }) => positionId))).toEqual(ids);
    });

    it('shows nothing that only another account watches, and nothing from before the wallet was watched', async () => {
      const foreign = await history('', another);
      expect(foreign.count).toBeGreaterThan(0);
      const { positionId } = foreign.snapshots[0]!;
      const mine = await history('?limit=200');
      expect(mine.snapshots.map((each) => each.positionId)).not.toContain(positionId);
      expect((await ask(`historical?positionId=${positionId}`)).status).toBe(404);
      expect((await ask(`historical?wallet=${wallet(2)}`)).status).toBe(404);
      const late = identityOf('business');
      const { body } = await service.call<{ createdAt: string }>('POST', '/v1/wallets', late, {
        address: wallet(2),
      });
      for (const { createdAt } of (await history('', late)).snapshots)
        expect(createdAt >= body.createdAt).toBe(true);
    });

    it.each([
      ['?days=91', 'business', '400 tier_limit_exceeded days'],
      ['?days=366', 'enterprise', '400 tier_limit_exceeded days'],
      ['?days=0', 'business', '400 invalid_request days'],
      ['?days=-1', 'business', '400 invalid_request days'],
      ['?limit=-1', 'business', '400 invalid_request limit'],
      ['?cursor=abc', 'business', '400 invalid_request cursor'],
      ['?wallet=a_b.eth', 'business', '400 invalid_request wallet'],
      [`?wallet=${UNKNOWN_WALLET}`, 'business', '404 not_found '],
    ] as const)('%s on %s is %s', async (query, tier, expected) => {
      const { status, body } = await ask(`historical${query}`, identityOf(tier));
      expect(`${status} ${body.code} ${body.errors?.[0]?.field ?? ''}`).toBe(expected);
    });

    it('stores nothing while the node is down, because the last figures are not those of that time', async () => {
      const statusIs = (status: string) => async (): Promise<boolean> =>
        (await ask<PortfolioAnalytics>('portfolio')).body.chainStatus['1'] === status;
      chain.pause();
      let [downAtMs, backAtMs] = [0, 0];
      try {
        await waitFor(statusIs('down'), { message: 'the chain is down', timeoutMs: 20_000 });
        downAtMs = Date.now();
        await waitFor(() => Date.now() > downAtMs + 2_500, { message: 'two intervals' });
      } finally {
        backAtMs = Date.now();
        chain.resume();
      }
      const times = await waitFor(
        async () => {
          const { snapshots } = await history('?limit=200');
          const all = snapshots.map(({ createdAt }) => Date.parse(createdAt));
          return all.some((at) => at > backAtMs) && all;
        },
        { message: 'a snapshot from after the restart', timeoutMs: 20_000 },
      );
      // A write that began before the chain stopped may end afterwards.
      expect(times.filter((at) => at > downAtMs + 300 && at < backAtMs)).toEqual([]);
    }, 60_000);

    it('has 365 days on enterprise', async () => {
      expect(await history('?days=365', another)).toMatchObject({ days: 365, maxDays: 365 });
    });
  });
});
