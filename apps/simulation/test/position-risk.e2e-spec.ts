import type { DeleverageAnswer, ForecastAnswer, RiskScoreAnswer } from '@plimsoll/contracts';
import { samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

const UNKNOWN = 'pos_0000000000000000000000';

describe('risk of a position', () => {
  let harness: SimulationHarness;
  let positionId: string;
  let withoutDebt: string;

  beforeAll(async () => {
    harness = await SimulationHarness.start(['ETH', 'BTC', 'USDC']);
    positionId = harness.storePosition(samplePosition('simple', { WETH: 10 }, { USDC: 16_000 })).id;
    withoutDebt = harness.storePosition(samplePosition('no-debt', { WETH: 10 }, {})).id;
  }, 60_000);
  afterAll(() => harness?.close());

  describe('POST /v1/positions/:id/forecast', () => {
    const forecast = (id: string, body?: object) =>
      harness.call<ForecastAnswer>('POST', `/v1/positions/${id}/forecast`, body);

    it('200 with prices, distance and time to liquidation', async () => {
      const { status, body } = await forecast(positionId, {});
      expect(status).toBe(200);
      expect(body.liquidationPrice['WETH']).toBeCloseTo(16_000 / 8.25, 8);
      expect(body.liquidationPrice['USDC']).toBeCloseTo(1.546875, 8);
      expect(body.distancePercent).toBeCloseTo((1 - 1 / 1.546875) * 100, 8);
      expect(body.firstPassageDays.p10).toBeGreaterThan(0);
      expect(body.daysToLiquidation).toBe(body.firstPassageDays.p50);
      expect(body).toMatchObject({ model: 'fhs', historySource: ['local-market'] });
    });

    it('200 with a time and a probability from the same paths, which are those of the risk score', async () => {
      for (const usdc of [16_000, 19_000, 21_000, 23_000, 24_000]) {
        const { id } = harness.storePosition(samplePosition(`at-${usdc}`, { WETH: 10 }, { USDC: usdc }));
        const { body } = await forecast(id);
        const { daysToLiquidation, firstPassageDays: days, liquidationProbability30d } = body;
        expect(daysToLiquidation).toBe(days.p50);
        expect(days.p50 !== null && days.p50 <= 30).toBe(liquidationProbability30d >= 0.5);
        expect(days.p25 !== null && days.p25 <= 30).toBe(liquidationProbability30d >= 0.25);
        expect(days.p5!).toBeLessThanOrEqual(days.p10 ?? Infinity);
        expect(body.notWithinDays).toBe(Object.values(days).includes(null) ? 365 : null);
        expect(body).toMatchObject({ iterations: 5_000, drift: { method: 'none' } });
        const score = await harness.call<RiskScoreAnswer>('GET', `/v1/positions/${id}/risk-score`);
        expect(score.body.liquidationProbability30d).toBe(liquidationProbability30d);
        expect(score.body.standardError).toBe(body.standardError);
      }
    });

    it('200 with the requested drift, 400 for an invalid one', async () => {
      const still = await forecast(positionId);
      const falling = await forecast(positionId, { drift: -1 });
      expect(falling.body.drift).toEqual({ method: 'given', annualised: { ETH: -1, USDC: 0 } });
      expect(falling.body.liquidationProbability30d).toBeGreaterThan(still.body.liquidationProbability30d);
      const refused = await forecast(positionId, { drift: 'up' });
      expect(refused.status).toBe(400);
      expect(refused.body.errors).toMatchObject([{ field: 'drift', code: 'is_drift' }]);
    });

    it('200 with the days that interest alone takes, by the rates of the position’s assets', async () => {
      const { collateralAssets, debtAssets, ...rest } = samplePosition(
        'rates',
        { WETH: 10 },
        { USDC: 16_000 },
      );
      const { id } = harness.storePosition({
        ...rest,
        collateralAssets: collateralAssets.map((leg) => ({ ...leg, supplyRate: 0.02 })),
        debtAssets: debtAssets.map((leg) => ({ ...leg, borrowRate: 0.06 })),
      });
      const { body } = await forecast(id);
      expect(body.carryDays).toBeCloseTo((Math.log(1.546875) / 0.04) * 365, 6);
      expect(body.carryDaysReason).toBeNull();
      expect((await forecast(positionId)).body).toMatchObject({
        carryDays: null,
        carryDaysReason: 'rate_unknown',
      });
    });

    it('200 without a body', async () => {
      const response = await harness.call('POST', `/v1/positions/${positionId}/forecast`);
      expect(response.status).toBe(200);
    });

    it('200 without debt: no price, no distance, no day', async () => {
      expect((await forecast(withoutDebt)).body).toMatchObject({
        liquidationPrice: {},
        distancePercent: null,
        daysToLiquidation: null,
        firstPassageDays: { p5: null, p10: null, p25: null, p50: null, p75: null },
        notWithinDays: null,
        liquidationProbability30d: 0,
        iterations: 0,
        carryDays: null,
        carryDaysReason: 'no_debt',
        historySource: null,
      });
    });

    it('200 with 0 days when it can be liquidated', async () => {
      const { id } = harness.storePosition(samplePosition('under', { WETH: 1 }, { USDC: 2_600 }));
      const { body } = await forecast(id);
      expect(body.daysToLiquidation).toBe(0);
      expect(body).toMatchObject({ liquidationProbability30d: 1, notWithinDays: null });
      expect(body.firstPassageDays.p75).toBe(0);
      expect(body.distancePercent).toBeLessThan(0);
    });

    it('400 for a field, 404 for an unknown position, 503 without history', async () => {
      expect((await forecast(positionId, { days: 3 })).body.code).toBe('invalid_request');
      expect((await forecast(UNKNOWN)).body.code).toBe('not_found');
      const { id } = harness.storePosition(samplePosition('link', { LINK: 100 }, { USDC: 500 }));
      expect((await forecast(id)).body.detail).toContain('LINK');
    });
  });

  describe('POST /v1/positions/:id/deleverage', () => {
    const plan = (id: string, body: object) =>
      harness.call<DeleverageAnswer>('POST', `/v1/positions/${id}/deleverage`, body);

    it('200 for a repayment: D − W/T', async () => {
      const { status, body } = await plan(positionId, { targetHealthFactor: 2 });
      expect(status).toBe(200);
      expect(body).toMatchObject({ strategy: 'repay_debt', protocol: 'aave-v3', feasible: true, sale: null });
      expect(body.requiredRepayUsd).toBeCloseTo(16_000 - 24_750 / 2, 8);
      expect(body.addCollateralUsd['WETH']).toBeCloseTo((32_000 - 24_750) / 0.825, 6);
    });

    it.each(['sell_collateral', 'flash_loan_unwind'])('200 for %s, with its costs', async (strategy) => {
      const { body } = await plan(positionId, { targetHealthFactor: 2, strategy, maxSlippageBps: 20 });
      const { sellUsd, costUsd, flashPremiumBps } = body.sale!;
      expect(flashPremiumBps).toBe(strategy === 'flash_loan_unwind' ? 5 : 0);
      expect(costUsd! / sellUsd!).toBeCloseTo((50 + flashPremiumBps) / 1e4, 10);
      const [weighted, debt] = [24_750 - sellUsd! * 0.825, 16_000 - (sellUsd! - costUsd!)];
      expect(weighted / debt).toBeCloseTo(2, 8);
      expect(body.requiredRepayUsd).toBeCloseTo(sellUsd! - costUsd!, 8);
    });

    it('200 and not feasible when no sale reaches it, with the amount that must come from outside', async () => {
      const { id } = harness.storePosition(samplePosition('deep', { WETH: 1, WBTC: 0.001 }, { USDC: 2_470 }));
      const { body } = await plan(id, { targetHealthFactor: 3, strategy: 'sell_collateral', asset: 'BTC' });
      expect(body).toMatchObject({ feasible: false, sale: { asset: 'WBTC' } });
      expect(body.requiredRepayUsd).toBeGreaterThan(0);
    });

    it('200 with 0 when the target is reached, and without debt', async () => {
      expect((await plan(positionId, { targetHealthFactor: 1.2 })).body.requiredRepayUsd).toBe(0);
      const free = await plan(withoutDebt, { targetHealthFactor: 2, strategy: 'sell_collateral' });
      expect(free.body).toMatchObject({ requiredRepayUsd: 0, feasible: true, currentHealthFactor: null });
    });

    it.each([
      [{ targetHealthFactor: 1 }, 'targetHealthFactor'],
      [{ targetHealthFactor: 10.5 }, 'targetHealthFactor'],
      [{}, 'targetHealthFactor'],
      [{ targetHealthFactor: 2, strategy: 'pray' }, 'strategy'],
      [{ targetHealthFactor: 2, strategy: 'sell_collateral', asset: 'LINK' }, 'asset'],
      [{ targetHealthFactor: 2, maxSlippageBps: 1_001 }, 'maxSlippageBps'],
    ])('400 for %j', async (body, field) => {
      const { status, body: problem } = await plan(positionId, body);
      expect([status, problem.code]).toEqual([400, 'invalid_request']);
      expect(problem.errors?.map((error) => error.field)).toContain(field);
    });

    it('404 for an unknown position', async () => {
      expect((await plan(UNKNOWN, { targetHealthFactor: 2 })).body.code).toBe('not_found');
    });
  });

  describe('GET /v1/positions/:id/risk-score', () => {
    const score = (id: string) => harness.call<RiskScoreAnswer>('GET', `/v1/positions/${id}/risk-score`);

    it('200 with score, label, factors and their probability', async () => {
      const { status, body } = await score(positionId);
      expect(status).toBe(200);
      expect(body.factors).toMatchObject({ debtConcentration: 100, protocolRisk: 10 });
      expect(body.baseScore).toBeGreaterThanOrEqual(100 * Math.sqrt(body.liquidationProbability30d) - 1e-9);
      expect(body).toMatchObject({ model: 'fhs', historyWindow: { days: 365 } });
      expect((await score(positionId)).body).toEqual(body);
    });

    it('200 with the word of the level as its label, at every health factor', async () => {
      const expected = {
        15_000: 'low',
        18_000: 'moderate',
        21_500: 'high',
        24_500: 'critical',
        24_750: 'critical',
        24_760: 'liquidatable',
      };
      for (const [debt, level] of Object.entries(expected)) {
        const { id } = harness.storePosition(
          samplePosition(`at-${debt}`, { WETH: 10 }, { USDC: Number(debt) }),
        );
        const { body } = await score(id);
        expect([debt, body.level, body.label]).toEqual([
          debt,
          level,
          level === 'liquidatable' ? 'critical' : level,
        ]);
        expect(body.riskScore).toBeGreaterThanOrEqual(body.levelFloor);
      }
    });

    it('200 with almost no volatility for an asset against itself, at most 20 without debt, and 100 below 1', async () => {
      const { id: loop } = harness.storePosition(samplePosition('loop', { WETH: 10 }, { WETH: 7 }));
      expect((await score(loop)).body.factors.collateralVolatility).toBeCloseTo(0, 6);
      expect((await score(withoutDebt)).body).toMatchObject({ label: 'low', historySource: null });
      expect((await score(withoutDebt)).body).toMatchObject({ level: 'none', levelFloor: 0 });
      expect((await score(withoutDebt)).body.riskScore).toBeLessThanOrEqual(20);
      const { id } = harness.storePosition(samplePosition('under', { WETH: 1 }, { USDC: 2_600 }));
      expect((await score(id)).body).toMatchObject({ riskScore: 100, label: 'critical' });
    });

    it('404 for an unknown position', async () => {
      expect((await score(UNKNOWN)).body.code).toBe('not_found');
    });
  });
});
