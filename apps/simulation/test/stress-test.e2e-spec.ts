import type { StressScenarioList, StressTestAnswer } from '@plimsoll/contracts';
import { samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

describe('stress tests', () => {
  let harness: SimulationHarness;
  const test = (positionId: string, ...scenarios: string[]) =>
    harness.call<StressTestAnswer>('POST', '/v1/simulate/stress-test', { positionId, scenarios });

  beforeAll(async () => {
    harness = await SimulationHarness.start([]);
  }, 60_000);
  afterAll(() => harness?.close());

  describe('GET /v1/simulate/scenarios', () => {
    it('200 with historical and parametric ones, which a stress test accepts', async () => {
      const { body } = await harness.call<StressScenarioList>('GET', '/v1/simulate/scenarios');
      expect(body.count).toBe(17);
      expect(body.scenarios[0]).toMatchObject({ id: 'march_2020', shocks: { ETH: -54.6, USDC: -0.3 } });
      const { id } = harness.storePosition(samplePosition('all', { WETH: 10 }, { USDC: 16_000 }));
      const response = await test(id, ...body.scenarios.map((scenario) => scenario.id));
      expect(response.body.results.map(({ scenario }) => scenario)).toEqual(
        body.scenarios.map((one) => one.id),
      );
    });
  });

  describe('POST /v1/simulate/stress-test', () => {
    it('200 without any history, with closing falls by asset, and staking tokens as their underlying', async () => {
      const { id } = harness.storePosition(
        samplePosition('mixed', { WETH: 5, wstETH: 5, LINK: 100 }, { USDC: 12_000, WBTC: 0.05 }),
      );
      const { status, body } = await test(id, 'march_2020', 'ftx_2022');
      expect(status).toBe(200);
      expect(body.results[0]?.shocks).toEqual({
        WETH: -54.6,
        wstETH: -54.6,
        LINK: -54.1,
        USDC: -0.3,
        WBTC: -46,
      });
      expect(body.results[0]).toMatchObject({ liquidated: true });
      expect(body.results[0]!.healthFactor).toBeLessThan(1);
      expect(body.results[1]!.shocks).toMatchObject({ USDC: 0 });
    });

    it('200 for groups of assets', async () => {
      const { id } = harness.storePosition(
        samplePosition('groups', { wstETH: 5, USDC: 9_000 }, { DAI: 8_000, WBTC: 0.02 }),
      );
      const { body } = await test(
        id,
        'crypto_minus_35',
        'lst_depeg_7',
        'stablecoin_depeg_5',
        'debt_squeeze_20',
        'eth_minus_30',
      );
      expect(body.results.map(({ shocks }) => shocks)).toEqual([
        { wstETH: -35, USDC: 0, DAI: 0, WBTC: -35 },
        { wstETH: -7, USDC: 0, DAI: 0, WBTC: 0 },
        { wstETH: 0, USDC: -5, DAI: 0, WBTC: 0 },
        { wstETH: 0, USDC: 0, DAI: 0, WBTC: 20 },
        { wstETH: -30, USDC: 0, DAI: 0, WBTC: 0 },
      ]);
    });

    it('200 with a loss that the equity bears, its parts, and its assumptions', async () => {
      const detail = harness.storePosition(samplePosition('loss', { WETH: 10, LINK: 10 }, { USDC: 16_389 }));
      const { body } = await test(detail.id, 'march_2020', 'crypto_minus_20', 'crypto_minus_35');
      const equity = detail.totalCollateralUsd - detail.totalDebtUsd;
      for (const { estimatedLoss, lossSplit, liquidated } of body.results) {
        const { marketLossUsd, penaltyUsd, slippageUsd } = lossSplit;
        expect(estimatedLoss).toBeLessThanOrEqual(equity);
        expect(marketLossUsd + penaltyUsd + slippageUsd).toBeCloseTo(estimatedLoss, 8);
        if (!liquidated) expect([penaltyUsd, slippageUsd, lossSplit.badDebtUsd]).toEqual([0, 0, 0]);
      }
      expect(body.results.map(({ liquidated }) => liquidated)).toEqual([true, false, true]);
      expect(body.results[0]!.estimatedLoss).toBeCloseTo(equity, 8);
      expect(body.results[0]!.lossSplit.badDebtUsd).toBeGreaterThan(0);
      expect(body.results[2]!.lossSplit.penaltyUsd).toBeCloseTo((0.05 * 16_389) / 2, 6);
      expect(body.assumptions).toEqual({
        depthModel: 'constant-product-1',
        depthBasis: { ETH: 'asset', LINK: 'class' },
        liquidationBonus: { ETH: 0.05, LINK: 0.075 },
        bonusBasis: 'typical',
        closeFactor: 0.5,
        fullCloseHealthFactor: 0.95,
        fullCloseBelowUsd: 2_000,
      });
    });

    it('200 without debt: null, and not liquidated', async () => {
      const { id } = harness.storePosition(samplePosition('no-debt', { WETH: 1 }, {}));
      const { body } = await test(id, 'crypto_minus_50');
      expect(body.results[0]).toMatchObject({ healthFactor: null, liquidated: false, debtUsd: 0 });
      expect(body.results[0]?.estimatedLoss).toBeCloseTo(1_500, 8);
    });

    it('400 unsupported_scenario naming the unknown ones', async () => {
      const { id } = harness.storePosition(samplePosition('typo', { WETH: 1 }, {}));
      const { status, body } = await test(id, 'march_2020', 'march_2021');
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'unsupported_scenario', errors: [{ field: 'scenarios[1]' }] });
    });

    it('400 for none and for 51, 404 for an unknown position', async () => {
      const unknown = 'pos_0000000000000000000000';
      expect((await test(unknown)).body.code).toBe('invalid_request');
      const many = Array.from({ length: 51 }, () => 'march_2020');
      expect((await test(unknown, ...many)).body.code).toBe('invalid_request');
      expect((await test(unknown, 'march_2020')).body.code).toBe('not_found');
    });
  });
});
