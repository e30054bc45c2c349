import type { ExitLiquidityList, PositionExitLiquidity } from '@plimsoll/contracts';
import { samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

const UNKNOWN = { levels: null, basis: null, source: null, measuredIn: null, reason: 'not_measured' };

describe('exit liquidity', () => {
  let harness: SimulationHarness;

  beforeAll(async () => {
    harness = await SimulationHarness.start([]);
  }, 60_000);
  afterAll(() => harness?.close());

  describe('GET /v1/markets/exit-liquidity', () => {
    const of = (query: string) =>
      harness.call<ExitLiquidityList>('GET', `/v1/markets/exit-liquidity${query}`);

    it('200: the amounts reproduce the published measurements', async () => {
      const { status, body } = await of('?symbols=weth,USDC');
      expect(status).toBe(200);
      const [eth, usdc] = body.assets;
      expect(body).toMatchObject({ model: 'constant-product-1', count: 2 });
      // A price that falls by 2 % in a constant product is an average loss of about 1 %: 43 million.
      expect(eth).toMatchObject({ asset: 'weth', basis: 'asset', measuredIn: '2025-09', reason: null });
      expect(eth!.levels!.map(({ priceImpactPercent }) => priceImpactPercent)).toEqual([1, 2, 5]);
      expect(eth!.levels![0]!.sellableUsd / 43e6).toBeCloseTo(1, 1);
      // 100 million USDT lost 1 %.
      expect(usdc!.levels![0]!.sellableUsd).toBeCloseTo(100e6, 0);
    });

    it('200: a symbol without a measurement is null with its reason, not a guess', async () => {
      const { body } = await of('?symbols=NEVERHEARD,LINK');
      expect(body.assets[0]).toEqual({ asset: 'NEVERHEARD', ...UNKNOWN });
      expect(body.assets[1]).toMatchObject({ basis: 'class' });
    });

    it('400 without symbols', async () => {
      const { status, body } = await of('');
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'symbols']);
    });
  });

  describe('GET /v1/positions/:id/exit-liquidity', () => {
    const of = (id: string) =>
      harness.call<PositionExitLiquidity>('GET', `/v1/positions/${id}/exit-liquidity`);

    it('200: a sale of a small collateral is possible as a whole', async () => {
      const { id, collateralAssets } = harness.storePosition(
        samplePosition('small', { WETH: 10 }, { USDC: 16_000 }),
      );
      const { status, body } = await of(id);
      expect(status).toBe(200);
      const { usdValue } = collateralAssets[0]!;
      expect(body.levels!.map(({ sellableUsd }) => sellableUsd)).toEqual([usdValue, usdValue, usdValue]);
      const [eth] = body.collateral;
      expect(eth).toMatchObject({ asset: 'ETH', usdValue, basis: 'asset' });
      expect(eth!.lossUsd! / usdValue).toBeCloseTo(eth!.priceImpactPercent! / 100, 12);
    });

    it('200: of a large collateral, the part that the market takes', async () => {
      const { id } = harness.storePosition(samplePosition('large', { WETH: 1e6 }, { USDC: 16_000 }));
      const { body } = await of(id);
      const [eth] = body.collateral;
      expect(eth!.priceImpactPercent).toBeGreaterThan(5);
      expect(body.levels).toEqual(eth!.levels);
    });

    it('200: unknown as a whole when one collateral is, and the others are stated', async () => {
      const position = samplePosition('unknown', { WETH: 10, LINK: 5 }, { USDC: 1_000 });
      const { id } = harness.storePosition({
        ...position,
        collateralAssets: position.collateralAssets.map((leg) =>
          leg.asset === 'LINK' ? { ...leg, asset: 'NEVERHEARD' } : leg,
        ),
      });
      const { body } = await of(id);
      expect([body.levels, body.reason]).toEqual([null, 'not_measured']);
      expect(body.collateral).toEqual([
        expect.objectContaining({ asset: 'ETH', reason: null }),
        expect.objectContaining({ asset: 'NEVERHEARD', priceImpactPercent: null, lossUsd: null, ...UNKNOWN }),
      ]);
    });

    it('404 for an unknown position', async () => {
      expect((await of('pos_0000000000000000000000')).status).toBe(404);
    });
  });
});
