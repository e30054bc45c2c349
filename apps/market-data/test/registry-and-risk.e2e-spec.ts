import type {
  ChainAnswer,
  ChainConditions,
  ChainList,
  ChainV1,
  MarketHealth,
  ProtocolAnswer,
  ProtocolList,
  RiskHistory,
  RiskIndex,
} from '@plimsoll/contracts';
import { DEVNET_MARKET } from '@plimsoll/devnet';
import { outgoing } from '@plimsoll/event-bus';
import { samplePosition, sampleWallet, waitFor } from '@plimsoll/testing';
import { type LocalMarket, startLocalMarket } from './local-market';
import { MarketFixture } from './market-fixture';

const HOUR_MS = 3_600_000;

/** A chain with one market and these totals. */
function chainState(suppliedUsd: number, borrowedUsd: number, over: Partial<ChainV1> = {}): ChainV1 {
  const now = new Date().toISOString();
  return {
    chainId: 1,
    status: 'operational',
    head: { number: 1_207, hash: `0x${'ab'.repeat(32)}`, time: now, seenAt: now },
    lagBlocks: 0,
    avgBlockTime: 1.02,
    markets: [
      {
        protocol: 'aave-v3',
        market: DEVNET_MARKET,
        failure: null,
        totals: { suppliedUsd, borrowedUsd, utilisation: 0.9, block: 1_207 },
      },
    ],
    updatedAt: now,
    heartbeatMs: 60_000,
    ...over,
  };
}

describe('protocols, chains and the risk index', () => {
  let local: LocalMarket;
  let market: MarketFixture;

  beforeAll(async () => {
    local = await startLocalMarket();
    market = await MarketFixture.create({ ...local.settings, HISTORY_LOOK_MS: 200, INDEX_INTERVAL_MS: 200 });
    await market.start();
  }, 120_000);
  afterAll(async () => {
    await market.close();
    await local.close();
  });

  const get = async <T>(url: string): Promise<T> => {
    const { status, body } = await market.call<T>('GET', url);
    expect(status).toBe(200);
    return body;
  };
  const tell = (state: ChainV1) => market.publisher.publish(outgoing('chain.v1', state));
  const until = <T>(url: string, fits: (body: T) => boolean, message: string): Promise<T> =>
    waitFor(
      async () => {
        const { status, body } = await market.call<T>('GET', url);
        return status === 200 && fits(body) ? body : undefined;
      },
      { timeoutMs: 20_000, message },
    );

  describe('without a chain.v1', () => {
    it('every protocol and every chain is listed, unconfigured', async () => {
      const { protocols } = await get<ProtocolList>('/v1/protocols');
      expect(protocols).toHaveLength(23);
      expect(new Set(protocols.map(({ status }) => status))).toEqual(new Set(['unconfigured']));
      for (const protocol of protocols)
        expect(protocol).toMatchObject({
          tvl: 0,
          tvlSource: 'none',
          tvlReason: expect.any(String) as string,
          tvlBracket: 'unknown',
          riskTier: 'unknown',
        });
      const { chains } = await get<ChainList>('/v1/chains');
      expect(chains).toHaveLength(13);
      expect(chains.map(({ id }) => id)).toEqual(chains.map(({ id }) => id).sort((a, b) => a - b));
      expect(chains[0]).toMatchObject({
        id: 1,
        status: 'unconfigured',
        blockTime: 12,
        isBlockTimeMeasured: false,
      });
    });

    it('lists continue from their cursor', async () => {
      const seen: string[] = [];
      let url = '/v1/protocols?limit=10';
      for (let page = 0; page < 3; page += 1) {
        const { protocols, nextCursor } = await get<ProtocolList>(url);
        seen.push(...protocols.map(({ id }) => id));
        url = `/v1/protocols?limit=10&cursor=${nextCursor}`;
      }
      expect(new Set(seen).size).toBe(23);
      const first = await get<ChainList>('/v1/chains?limit=12');
      const rest = await get<ChainList>(`/v1/chains?limit=12&cursor=${first.nextCursor}`);
      expect([rest.count, rest.nextCursor]).toEqual([1, null]);
    });

    it.each(['/v1/protocols/nope', '/v1/chains/424242', '/v1/chains/nope'])('404 for %s', async (url) => {
      expect((await market.call('GET', url)).status).toBe(404);
    });

    it.each(['/v1/protocols?cursor=x', '/v1/chains?limit=0', '/v1/risk/index/history?days=91'])(
      '400 for %s',
      async (url) => {
        expect((await market.call('GET', url)).status).toBe(400);
      },
    );
  });

  describe('with chain.v1', () => {
    it('has TVL, status and measured block time', async () => {
      await tell(chainState(90e6, 60e6));
      const { protocol } = await until<ProtocolAnswer>(
        '/v1/protocols/aave-v3',
        (body) => body.protocol.tvl === 30e6,
        'the TVL of the chain',
      );
      expect(protocol).toMatchObject({
        tvlSource: 'chain',
        tvlBracket: '10m_100m',
        category: 'lending',
        riskTier: 'low',
        status: 'operational',
        markets: [{ chainId: 1, market: DEVNET_MARKET, status: 'operational', utilisation: 60 / 90 }],
      });
      const { protocols } = await get<ProtocolList>('/v1/protocols');
      expect(protocols[0]?.id).toBe('aave-v3');
      const { chain } = await get<ChainAnswer>('/v1/chains/1');
      expect(chain).toMatchObject({
        status: 'operational',
        avgBlockTime: 1.02,
        isBlockTimeMeasured: true,
        nativeCurrency: 'ETH',
        head: { number: 1_207 },
        lagBlocks: 0,
        failing: [],
      });
    });

    it('names a failing row, and marks chain and protocol as degraded', async () => {
      const state = chainState(90e6, 60e6, { status: 'degraded' });
      state.markets[0]!.failure = 'rpc_unavailable';
      await tell(state);
      const { chain } = await until<ChainAnswer>(
        '/v1/chains/1',
        (body) => body.chain.status === 'degraded',
        'the chain is degraded',
      );
      expect(chain.failing).toEqual([
        { protocol: 'aave-v3', market: DEVNET_MARKET, reason: 'rpc_unavailable' },
      ]);
      expect((await get<ProtocolAnswer>('/v1/protocols/aave-v3')).protocol.status).toBe('degraded');
    });

    it('has the condition of each chain with a node for the status of the gateway, and of its markets', async () => {
      const lastRead = { number: 1_200, time: '2026-11-28T12:00:00.000Z' };
      const state = chainState(90e6, 60e6, { lagBlocks: 7, eventLatency: { blocks: 5, p95Ms: 1_420 } });
      Object.assign(state.markets[0]!, { failure: 'rpc_unavailable', lastRead });
      await tell(state);
      const read = await until<ChainConditions>(
        '/inner/chains',
        ({ chains }) => chains[0]?.lagBlocks === 7,
        'the newest state',
      );
      const { head, updatedAt } = state;
      expect(read).toEqual({
        chains: [
          {
            id: 1,
            name: 'Ethereum',
            status: 'operational',
            head: { number: head!.number, time: head!.time },
            lagBlocks: 7,
            eventLatencyMs: 1_420,
            updatedAt,
          },
        ],
        markets: [
          {
            chainId: 1,
            protocol: 'aave-v3',
            protocolName: expect.stringMatching(/aave/i) as string,
            market: DEVNET_MARKET,
            failure: 'rpc_unavailable',
            lastRead,
          },
        ],
      });
    });

    it('a chain without recent events is down', async () => {
      await tell(chainState(90e6, 60e6, { heartbeatMs: 1 }));
      await until<ChainAnswer>('/v1/chains/1', (body) => body.chain.status === 'down', 'the chain is down');
      expect((await get<ProtocolAnswer>('/v1/protocols/aave-v3')).protocol.status).toBe('down');
      const { chains, markets } = await get<ChainConditions>('/inner/chains');
      expect(chains).toMatchObject([{ status: 'down', eventLatencyMs: null }]);
      expect(markets).toMatchObject([{ failure: 'chain_down', lastRead: null }]);
    }, 30_000);
  });

  describe('GET /v1/risk/index and GET /v1/risk/market-health', () => {
    it('are the same measurement, in figures and in words', async () => {
      const index = await until<RiskIndex>('/v1/risk/index', () => true, 'the index');
      expect(index.components.volatility).toBeGreaterThan(0);
      const [again, health] = await waitFor(
        async () => {
          const pair = [
            await get<RiskIndex>('/v1/risk/index'),
            await get<MarketHealth>('/v1/risk/market-health'),
          ] as const;
          return pair[0].updatedAt === pair[1].updatedAt ? pair : undefined;
        },
        { message: 'both responses of one measurement' },
      );
      expect([health.riskScore, health.overallRisk]).toEqual([again.gri, again.label]);
    });

    it('rise with the debt that a fall of 20 % would endanger', async () => {
      const before = await get<RiskIndex>('/v1/risk/index');
      expect(before.components.liquidationPressure).toBe(0);
      const leg = {
        address: sampleWallet(7),
        amountRaw: '1',
        scaledRaw: '1',
        decimals: 18,
        priceRaw: '1',
        priceDecimals: 8,
        oracle: sampleWallet(8),
        amount: 1,
      };
      const legs = [
        {
          ...leg,
          asset: 'WETH',
          side: 'collateral' as const,
          usdValue: 7_500,
          liquidationThresholdBps: 8_000,
          usedAsCollateral: true,
        },
        {
          ...leg,
          asset: 'USDC',
          side: 'debt' as const,
          usdValue: 5_000,
          liquidationThresholdBps: 0,
          usedAsCollateral: false,
        },
      ];
      const near = samplePosition(sampleWallet(1), 1, 'high', { legs });
      const far = samplePosition(sampleWallet(2), 1, 'low', {
        legs: [legs[0]!, { ...legs[1]!, usdValue: 45_000 }],
      });
      await market.publisher.publish(outgoing('position.v1', near), outgoing('position.v1', far));
      const after = await until<RiskIndex>(
        '/v1/risk/index',
        ({ components }) => components.liquidationPressure === 40,
        'a tenth of the debt is endangered',
      );
      expect(after.gri).toBeGreaterThan(before.gri);
    });

    it('GET /v1/risk/index/history has the hours, and the trend compares with a day ago', async () => {
      const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS).toISOString();
      await market.pool.query(`INSERT INTO risk_index_hours VALUES ($1, 3, 'stable', 4, 3, 97, $1)`, [hour]);
      await until<RiskIndex>('/v1/risk/index', ({ trend }) => trend === 'rising', 'a rising trend');
      const { history, days } = await get<RiskHistory>('/v1/risk/index/history?days=2');
      expect(days).toBe(2);
      expect(history.at(-1)).toEqual({
        at: hour,
        gri: 3,
        label: 'low',
        components: { volatility: 4, liquidationPressure: 3, protocolStability: 97 },
      });
      // One hour, or two when a new one began during this suite.
      const today = (await get<RiskHistory>('/v1/risk/index/history?days=1')).history.map(({ at }) => at);
      expect(today.length).toBeGreaterThan(0);
      expect(today).not.toContain(hour);
    });
  });
});
