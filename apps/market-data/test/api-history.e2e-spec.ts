import type { PriceHistory, ProtocolAnswer, RiskIndex } from '@plimsoll/contracts';
import {
  type Receiver,
  type ReceiverResponse,
  collectEvents,
  startReceiver,
  waitFor,
} from '@plimsoll/testing';
import { findAsset } from '../src/assets/asset-table';
import { addDays, dayOf, startOf } from '../src/history/day-bar';
import { DefillamaHistory } from '../src/history/defillama-history';
import { DAY_CLOSES_AFTER_MS } from '../src/history/history-keeper';
import { MarketFixture } from './market-fixture';

const HOUR_MS = 3_600_000;
/** The day that the service treats as open: just after midnight the previous one. */
const today = dayOf(Date.now() - DAY_CLOSES_AFTER_MS);
const GAP = addDays(today, -10);
const CORRECTED = addDays(today, -1);

/** CoinGecko's and DefiLlama's history and TVL of two coins, from a price that only depends on the hour. */
class PastServer {
  /** Added to every price of the day that is corrected later. */
  correction = 0;
  private isFirstTvl = true;

  private constructor(readonly server: Receiver) {}

  static async start(): Promise<PastServer> {
    const server = await startReceiver();
    const past = new PastServer(server);
    server.respondWith(({ path }) => past.respond(new URL(path, 'http://past')));
    return past;
  }

  respond({ pathname, searchParams }: URL): ReceiverResponse {
    const json = (body: unknown): ReceiverResponse => ({ status: 200, body: JSON.stringify(body) });
    if (pathname === '/cg/simple/price') {
      const price = { usd: 3_000, last_updated_at: Math.floor(Date.now() / 1_000) };
      return json({ ethereum: price, bitcoin: price });
    }
    if (/^\/cg\/coins\/(ethereum|bitcoin)\/market_chart\/range$/.test(pathname)) {
      const [from, to] = ['from', 'to'].map((name) => Number(searchParams.get(name)) * 1_000);
      return json({ prices: this.points(from!, to!, HOUR_MS) });
    }
    if (pathname.startsWith('/llama/chart/')) {
      const start = Number(searchParams.get('start')) * 1_000;
      const points = this.points(
        start,
        start + Number(searchParams.get('span')) * 4 * HOUR_MS - 1,
        4 * HOUR_MS,
      );
      const prices = points.map(([atMs, price]) => ({ timestamp: atMs / 1_000, price }));
      return json({ coins: { [decodeURIComponent(pathname.slice('/llama/chart/'.length))]: { prices } } });
    }
    if (pathname === '/tvl/tvl/aave-v3') {
      if (!this.isFirstTvl) return json(19_100_000_000);
      this.isFirstTvl = false;
      return { status: 503, body: '{"error":"unavailable"}' };
    }
    if (pathname === '/tvl/tvl/morpho-blue') return json(5_000_000_000);
    return { status: 404, body: '{"error":"not found"}' };
  }

  private points(fromMs: number, toMs: number, stepMs: number): [number, number][] {
    const first = Math.ceil(fromMs / stepMs);
    return Array.from({ length: Math.floor(toMs / stepMs) - first + 1 }, (_, index): [number, number] => {
      const atMs = (first + index) * stepMs;
      const correction = dayOf(atMs) === CORRECTED ? this.correction : 0;
      return [atMs, 3_000 + ((atMs / HOUR_MS) % 24) + correction];
    }).filter(([atMs]) => dayOf(atMs) !== GAP);
  }
}

describe('history and TVL of the APIs', () => {
  let past: PastServer;
  let market: MarketFixture;
  let histories: Awaited<ReturnType<typeof collectEvents<'price-history.v1'>>>;

  beforeAll(async () => {
    past = await PastServer.start();
    market = await MarketFixture.create({
      COINGECKO_URL: `${past.server.url}/cg`,
      COINGECKO_POLL_MS: 200,
      DEFILLAMA_TVL_URL: `${past.server.url}/tvl`,
      HISTORY_DAYS: 120,
      HISTORY_LOOK_MS: 100,
      HISTORY_CALL_PAUSE_MS: 0,
      // A late response would be requested again after ten minutes only.
      SOURCE_TIMEOUT_MS: 10_000,
      INDEX_INTERVAL_MS: 200,
    });
    histories = await collectEvents(market.kafka, 'price-history.v1');
    await market.start();
  }, 60_000);
  afterAll(async () => {
    await histories.stop();
    await market.close();
    await past.server.close();
  });

  const version = (asset: string, number: number) =>
    waitFor(
      () => histories.events.find(({ key, value }) => key === asset && value?.version === number)?.value,
      { timeoutMs: 20_000, message: `version ${number} of ${asset}` },
    );

  const tvlOfDefillama = (protocol: string) =>
    waitFor(
      async () => {
        const { body } = await market.call<ProtocolAnswer>('GET', `/v1/protocols/${protocol}`);
        return body.protocol.tvlSource === 'defillama' ? body : undefined;
      },
      { message: `the TVL of ${protocol} at DefiLlama` },
    );

  it('is filled from hourly prices, with a gap if the source has none', async () => {
    const history = await version('ETH', 1);
    expect(history).toMatchObject({
      historySource: 'coingecko',
      firstDay: addDays(today, -120),
      lastDay: addDays(today, -1),
      corrections: [],
    });
    expect(history.close).toHaveLength(120);
    expect(history.close.filter((close) => close === null)).toHaveLength(1);
    expect(history.close.at(-10)).toBeNull();
    expect([history.open, history.high, history.low, history.close].map((prices) => prices[0])).toEqual([
      3_000, 3_023, 3_000, 3_023,
    ]);
  }, 30_000);

  it('requests at most 90 days a call', () => {
    const spans = past.server.requests
      .map(({ path }) => new URL(path, 'http://past').searchParams)
      .filter((query) => query.has('from'))
      .map((query) => (Number(query.get('to')) - Number(query.get('from'))) / 86_400);
    expect(spans.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...spans)).toBeLessThanOrEqual(90);
  });

  it('publishes a bar that the source corrects as a further version, and names it', async () => {
    past.correction = 100;
    market.skipMs = 86_400_000;
    const history = await version('ETH', 2);
    expect(history.lastDay).toBe(today);
    expect(history.corrections).toEqual([{ day: CORRECTED, version: 2 }]);
    expect(history.close.at(-2)).toBe(3_123);
    const { rows } = await market.pool.query(
      'SELECT close FROM daily_bars WHERE asset = $1 AND day = $2 ORDER BY version',
      ['ETH', CORRECTED],
    );
    expect(rows).toEqual([{ close: 3_023 }, { close: 3_123 }]);
    const { body } = await market.call<PriceHistory>(
      'GET',
      '/v1/prices/history?symbol=ETH&days=2',
      undefined,
      {
        tier: 'pro',
      },
    );
    expect(body.bars.map(({ isCorrected, isGap }) => [isCorrected, isGap])).toEqual([
      [true, false],
      [false, false],
    ]);
  }, 30_000);

  it('computes the index from it, and uses the TVL of DefiLlama, although its first response was an error', async () => {
    await waitFor(async () => (await market.call<RiskIndex>('GET', '/v1/risk/index')).status === 200, {
      timeoutMs: 20_000,
      message: 'the index',
    });
    const { protocol } = await tvlOfDefillama('aave-v3');
    expect(protocol).toMatchObject({ tvl: 19_100_000_000, tvlBracket: 'over_10b', status: 'unconfigured' });
  }, 60_000);

  it('a protocol that DefiLlama knows under an older name has its TVL too', async () => {
    expect((await tvlOfDefillama('morpho-blue')).protocol.tvl).toBe(5_000_000_000);
    const asked = past.server.requests.map(({ path }) => path);
    expect(asked.indexOf('/tvl/tvl/morpho-v1')).toBeLessThan(asked.indexOf('/tvl/tvl/morpho-blue'));
  });

  it('makes bars of DefiLlama’s four-hourly prices too', async () => {
    const source = new DefillamaHistory(
      { baseUrl: `${past.server.url}/llama`, pollMs: 1_000 },
      { pauseMs: 0, timeoutMs: 2_000 },
    );
    const firstDay = addDays(today, -100);
    const bars = await source.bars(
      findAsset('ETH')!,
      firstDay,
      addDays(today, -1),
      AbortSignal.timeout(10_000),
    );
    expect(bars).toHaveLength(99);
    expect(bars[0]).toEqual({ day: firstDay, open: 3_000, high: 3_020, low: 3_000, close: 3_020 });
    expect(startOf(bars[1]!.day) - startOf(firstDay)).toBe(86_400_000);
  });
});
