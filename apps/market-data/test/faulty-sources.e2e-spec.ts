import type { PriceEntry, PriceList, PriceSourceState } from '@plimsoll/contracts';
import { setPrice } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import { type Behaviour, FakeSources } from './fake-sources';
import { type LocalMarket, startLocalMarket } from './local-market';
import { MarketFixture } from './market-fixture';

/** Three sources: the chain’s feed at 3,000, CoinGecko at 3,000.4, DefiLlama at 3,001.2. */
describe('GET /v1/prices with sources that fail', () => {
  let local: LocalMarket;
  let sources: FakeSources;
  let market: MarketFixture;

  beforeAll(async () => {
    local = await startLocalMarket();
    await setPrice(local.node.url, local.addresses, 'ETH', 3_000);
    sources = await FakeSources.start(() => Date.now() + (market?.skipMs ?? 0));
    market = await MarketFixture.create({
      ...local.settings,
      COINGECKO_URL: `${sources.server.url}/coingecko/api/v3`,
      COINGECKO_KEY: 'the-key',
      COINGECKO_POLL_MS: 100,
      DEFILLAMA_URL: `${sources.server.url}/{key}/coins`,
      DEFILLAMA_KEY: 'llama-key',
      DEFILLAMA_POLL_MS: 100,
    });
    await market.start();
  }, 120_000);
  afterAll(async () => {
    await market.close();
    await sources.server.close();
    await local.close();
  });
  afterEach(() => sources.restore());

  /** Returns the price when the sources have these states: feed, CoinGecko, DefiLlama. */
  async function priceWhen(states: readonly PriceSourceState[]): Promise<PriceEntry> {
    return waitFor(
      async () => {
        const { status, body } = await market.call<PriceList>('GET', '/v1/prices?symbols=ETH');
        const price = status === 200 ? body.prices['ETH'] : undefined;
        return price && price.sources.map(({ state }) => state).join() === states.join() ? price : undefined;
      },
      { timeoutMs: 15_000, message: `the sources are ${states.join(', ')}` },
    );
  }
  const all = { used: ['used', 'used', 'used'] } as const;

  it('all work: the median, with the figures that only CoinGecko has', async () => {
    const price = await priceWhen(all.used);
    expect(price).toMatchObject({ usd: 3_000.4, change24h: -1.8213, isStale: false, isDeviating: false });
    expect(price.spreadPercent).toBeCloseTo(0.04, 3);
  }, 30_000);

  it('sends the keys, and requests an unknown id again only much later', async () => {
    await sources.server.waitForRequest(
      ({ path: asked }) => asked.includes('/simple/price') && !asked.includes('tether'),
    );
    const requests = sources.server.requests.filter(({ path: asked }) => asked.includes('/simple/price'));
    const [first] = requests;
    expect(first?.headers['x-cg-demo-api-key']).toBe('the-key');
    expect(first?.path).toContain('ethereum');
    expect(first?.path).toContain('tether');
    // On a busy machine the first response may be late. The source then requests all of them again.
    const later = requests.slice(requests.findIndex(({ path: asked }) => !asked.includes('tether')));
    expect(later[0]?.path).toContain('ethereum');
    expect(later.filter(({ path: asked }) => asked.includes('tether'))).toEqual([]);
    expect(
      sources.server.requests.some(({ path: asked }) => asked.startsWith('/llama-key/coins/prices/current/')),
    ).toBe(true);
  });

  it('one wrong by 10 %: it does not count, and the response states that', async () => {
    sources.defillama.factor = 1.1;
    const price = await priceWhen(['used', 'used', 'deviant']);
    expect(price).toMatchObject({ usd: 3_000.2, isStale: false, isDeviating: true });
    expect(price.spreadPercent).toBeGreaterThan(9);
    const event = await market.waitForPrice('ETH', ({ isDeviating }) => isDeviating);
    expect(event.sources[2]?.priceUsd).toBeCloseTo(3_301.32, 6);
  }, 30_000);

  it('one stale: it does not count, and nothing deviates', async () => {
    sources.coingecko.ageMs = 3_600_000;
    sources.coingecko.factor = 0.5;
    const price = await priceWhen(['used', 'stale', 'used']);
    expect(price).toMatchObject({ usd: 3_000.6, isStale: false, isDeviating: false });
  }, 30_000);

  it.each<Behaviour['fault']>(['status_500', 'no_json', 'too_many', 'hangs'])(
    'one down (%s): the prices of the others',
    async (fault) => {
      sources.coingecko.fault = fault;
      const price = await priceWhen(['used', 'down', 'used']);
      expect(price).toMatchObject({ usd: 3_000.6, isStale: false, isDeviating: false });
      sources.restore();
      await priceWhen(all.used);
    },
    60_000,
  );

  it('all down: 200 with the last known price, marked stale, until they are back', async () => {
    const before = await priceWhen(all.used);
    sources.coingecko.fault = 'status_500';
    sources.defillama.fault = 'hangs';
    process.kill(local.node.pid, 'SIGSTOP');
    try {
      const price = await priceWhen(['down', 'down', 'down']);
      // The last of the three that failed decides which median was the last.
      expect(Math.abs(price.usd - before.usd)).toBeLessThan(1);
      expect(price).toMatchObject({
        isStale: true,
        isDeviating: false,
        spreadPercent: null,
      });
    } finally {
      process.kill(local.node.pid, 'SIGCONT');
      sources.restore();
    }
    expect((await priceWhen(all.used)).isStale).toBe(false);
  }, 60_000);
});

describe('GET /v1/prices when no source ever responded', () => {
  it('503 with Retry-After', async () => {
    const market = await MarketFixture.create({
      COINGECKO_URL: 'http://127.0.0.1:9',
      COINGECKO_POLL_MS: 100,
    });
    await market.start();
    const { status, body } = await market.call<{ code: string }>('GET', '/v1/prices?symbols=ETH');
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
    const unknown = await market.call<PriceList>('GET', '/v1/prices?symbols=NOPE');
    expect(unknown).toMatchObject({ status: 200, body: { prices: {}, missing: ['NOPE'] } });
    await market.close();
  }, 60_000);
});
