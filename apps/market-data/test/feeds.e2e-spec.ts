import type { PriceBatch, PriceList, ProblemBody } from '@plimsoll/contracts';
import { setPrice } from '@plimsoll/devnet';
import { type LocalMarket, startLocalMarket } from './local-market';
import { MarketFixture } from './market-fixture';

describe('prices of the feeds of a chain', () => {
  let local: LocalMarket;
  let market: MarketFixture;

  beforeAll(async () => {
    local = await startLocalMarket();
    market = await MarketFixture.create(local.settings);
    await market.start();
    await market.waitForPrice('ETH', () => true);
  }, 120_000);
  afterAll(async () => {
    await market.close();
    await local.close();
  });

  describe('GET /v1/prices', () => {
    it('200 with the price of the local market, marked as such, under the requested name', async () => {
      const { status, body } = await market.call<PriceList>('GET', '/v1/prices?symbols=weth,ETH,WBTC,usdc');
      expect(status).toBe(200);
      expect(Object.keys(body.prices)).toEqual(['weth', 'ETH', 'WBTC', 'usdc']);
      expect(body.prices['weth']).toEqual(body.prices['ETH']);
      expect(body.prices['ETH']).toMatchObject({
        usd: 3_150,
        change24h: 0,
        isStale: false,
        isDeviating: false,
        sources: [{ source: 'local-market', chainId: 1, state: 'used', usd: 3_150 }],
      });
      expect(body.missing).toEqual([]);
    });

    it('200 without unknown symbols, which are listed', async () => {
      const { status, body } = await market.call<PriceList>('GET', '/v1/prices?symbols=ETH,NOPE,__proto__');
      expect(status).toBe(200);
      expect(Object.keys(body.prices)).toEqual(['ETH']);
      expect(body.missing).toEqual(['NOPE', '__proto__']);
    });

    it.each([
      '/v1/prices',
      '/v1/prices?symbols=',
      '/v1/prices?symbols=ETH,',
      '/v1/prices?symbols=A&symbols=B',
    ])('400 for %s, naming symbols', async (url) => {
      const { status, body } = await market.call<ProblemBody>('GET', url);
      expect(status).toBe(400);
      expect(body.errors?.[0]?.field).toBe('symbols');
    });

    it('400 for more than 200 symbols', async () => {
      const symbols = Array.from({ length: 201 }, (_, i) => `A${i}`).join();
      expect((await market.call('GET', `/v1/prices?symbols=${symbols}`)).status).toBe(400);
    });
  });

  describe('POST /v1/prices/batch', () => {
    it('200 with market capitalisation and count', async () => {
      const { status, body } = await market.call<PriceBatch>('POST', '/v1/prices/batch', {
        symbols: ['ETH', 'DAI', 'NOPE'],
      });
      expect(status).toBe(200);
      expect(body.count).toBe(2);
      expect(body.missing).toEqual(['NOPE']);
      expect(body.prices['DAI']).toMatchObject({ usd: 0.9998, usd_24h_change: 0 });
      expect(body.prices['ETH']?.usd_market_cap).toBeGreaterThanOrEqual(0);
    });

    it.each([[{}], [{ symbols: [] }], [{ symbols: 'ETH' }], [{ symbols: ['ETH'], more: 1 }]])(
      '400 for %j',
      async (body) => {
        expect((await market.call('POST', '/v1/prices/batch', body)).status).toBe(400);
      },
    );
  });

  describe('price.v1', () => {
    it('is published when the chain’s price moves, with the exact price of the feed', async () => {
      await setPrice(local.node.url, local.addresses, 'ETH', 2_500.12345678);
      const price = await market.waitForPrice('ETH', ({ priceUsd }) => priceUsd < 3_000);
      expect(price).toMatchObject({
        priceUsd: 2_500.12345678,
        priceRaw: '2500123456780000000000',
        priceDecimals: 18,
        isStale: false,
        spreadPercent: null,
      });
      const { body } = await market.call<PriceList>('GET', '/v1/prices?symbols=ETH');
      expect(body.prices['ETH']?.usd).toBe(2_500.12345678);
      expect(body.prices['ETH']?.change24h).toBeCloseTo((2_500.12345678 / 3_150 - 1) * 100, 6);
    });

    it('reports that a coin has lost its peg', async () => {
      await setPrice(local.node.url, local.addresses, 'USDC', 0.95);
      const price = await market.waitForPrice('USDC', ({ isDepegged }) => isDepegged);
      expect(price.pegDeviationPercent).toBeCloseTo(-5, 9);
    });
  });

  it('has the last prices after a restart, before the first read', async () => {
    await market.stop();
    process.kill(local.node.pid, 'SIGSTOP');
    try {
      await market.start();
      const { status, body } = await market.call<PriceList>('GET', '/v1/prices?symbols=ETH');
      expect(status).toBe(200);
      expect(body.prices['ETH']?.usd).toBe(2_500.12345678);
    } finally {
      process.kill(local.node.pid, 'SIGCONT');
    }
  });
});
