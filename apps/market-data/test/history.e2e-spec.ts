import type { PriceHistory, ProblemBody } from '@plimsoll/contracts';
import { collectEvents, waitFor } from '@plimsoll/testing';
import { addDays, dayOf } from '../src/history/day-bar';
import { DAY_CLOSES_AFTER_MS } from '../src/history/history-keeper';
import { type LocalMarket, startLocalMarket } from './local-market';
import { MarketFixture } from './market-fixture';

const PRO = { tier: 'pro' } as const;
const ASSETS = ['BTC', 'DAI', 'ETH', 'LINK', 'USDC', 'USDT'];

describe('history of the local market', () => {
  let local: LocalMarket;
  let market: MarketFixture;
  let histories: Awaited<ReturnType<typeof collectEvents<'price-history.v1'>>>;
  let covariances: Awaited<ReturnType<typeof collectEvents<'covariance.v1'>>>;

  beforeAll(async () => {
    local = await startLocalMarket();
    market = await MarketFixture.create({
      ...local.settings,
      HISTORY_LOOK_MS: 200,
      HISTORY_DAYS: 500,
    });
    histories = await collectEvents(market.kafka, 'price-history.v1');
    covariances = await collectEvents(market.kafka, 'covariance.v1');
    await market.start();
    await waitFor(() => covariances.events.length > 0, { timeoutMs: 20_000, message: 'a covariance.v1' });
  }, 120_000);
  afterAll(async () => {
    await Promise.all([histories.stop(), covariances.stop()]);
    await market.close();
    await local.close();
  });

  it('price-history.v1 has the history of every asset, which ends at the current price', () => {
    expect(histories.events.map(({ key }) => key).sort()).toEqual(ASSETS);
    const eth = histories.events.find(({ key }) => key === 'ETH')?.value;
    expect(eth).toMatchObject({ version: 1, historySource: 'local-market', corrections: [] });
    expect(eth?.close).toHaveLength(500);
    expect(eth?.close.at(-1)).toBe(3_150);
  });

  it('covariance.v1 has all assets over a year', () => {
    expect(covariances.events[0]?.value).toMatchObject({
      assets: ASSETS,
      windowDays: 365,
      historySource: 'local-market',
      version: 1,
    });
  });

  describe('GET /v1/prices/history', () => {
    it('200 with the last days and their source', async () => {
      const { status, body } = await market.call<PriceHistory>(
        'GET',
        '/v1/prices/history?symbol=weth&days=10',
        undefined,
        PRO,
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({ symbol: 'weth', historySource: 'local-market', version: 1, count: 10 });
      expect(body.bars.at(-1)).toMatchObject({ close: 3_150, isGap: false });
    });

    it.each([
      ['symbol=ETH&days=0', 'days'],
      ['symbol=ETH&days=1001', 'days'],
      ['days=3', 'symbol'],
    ])('400 for %s, naming %s', async (query, field) => {
      const { status, body } = await market.call<ProblemBody>(
        'GET',
        `/v1/prices/history?${query}`,
        undefined,
        PRO,
      );
      expect({ status, field: body.errors?.[0]?.field }).toEqual({ status: 400, field });
    });

    it('404 for an asset without history', async () => {
      expect((await market.call('GET', '/v1/prices/history?symbol=NOPE', undefined, PRO)).status).toBe(404);
      expect((await market.call('GET', '/v1/prices/history?symbol=AAVE', undefined, PRO)).status).toBe(404);
    });
  });

  it('adds each day that passes, and a gap for a day without a price', async () => {
    const today = dayOf(Date.now());
    // Just after midnight the previous day is still open.
    const closed = addDays(dayOf(Date.now() - DAY_CLOSES_AFTER_MS), -1);
    market.skipMs = 3 * 86_400_000;
    const history = await waitFor(
      () => histories.events.find(({ key, value }) => key === 'ETH' && value?.version === 2)?.value,
      { timeoutMs: 20_000, message: 'the second version' },
    );
    expect(history.lastDay).toBe(addDays(closed, 3));
    // The day of the test has prices. The two others have none.
    const isGap = [1, 2, 3].map((days) => addDays(closed, days) !== today);
    expect(history.close.slice(-3).map((close) => close === null)).toEqual(isGap);
    const again = await waitFor(() => covariances.events[1]?.value, { message: 'the covariance once more' });
    expect(again).toMatchObject({ asOf: today, version: 2 });
  }, 60_000);
});
