import { TIER_LIMITS } from '@plimsoll/access';
import {
  type PortfolioSimulation,
  type PositionDetail,
  type StressTestAnswer,
  type Tier,
  type WhatIfAnswer,
  newId,
} from '@plimsoll/contracts';
import { samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

const SCENARIOS = [
  { asset: 'ETH', priceChangePercent: -20 },
  { asset: 'usdc', priceChangePercent: 3.5 },
];
const STRESSES = ['march_2020', 'crypto_minus_50', 'stablecoin_depeg_5'];

jest.setTimeout(60_000);

describe('POST /v1/simulate/portfolio', () => {
  let harness: SimulationHarness;

  beforeAll(async () => {
    harness = await SimulationHarness.start(['ETH', 'WSTETH', 'USDC']);
  }, 60_000);
  afterAll(() => harness?.close());
  beforeEach(() => {
    harness.upstream.positions.clear();
    harness.upstream.unreadable = [];
    harness.upstream.calls = [];
  });

  const simulate = (body: object, tier: Tier = 'enterprise') =>
    harness.call<PortfolioSimulation>('POST', '/v1/simulate/portfolio', body, tier);
  const store = (...positions: PositionDetail[]): PositionDetail[] =>
    positions.map((position) => harness.storePosition(position));
  const five = (): PositionDetail[] =>
    store(
      samplePosition('one', { WETH: 10 }, { USDC: 16_000 }),
      samplePosition('two', { WETH: 1, wstETH: 1 }, { USDC: 4_900 }),
      samplePosition('loop', { WETH: 11, USDC: 5 }, { WETH: 9 }),
      samplePosition('no debt', { WETH: 1, USDC: 10 }, {}),
      samplePosition('deep', { WETH: 2, USDC: 1 }, { USDC: 5_100 }),
    );

  it('each position has exactly the figures of the requests about one position', async () => {
    const positions = five();
    const { status, body } = await simulate({ scenarios: SCENARIOS, stressScenarios: STRESSES });
    expect(status).toBe(200);
    expect(body.positions.map(({ positionId }) => positionId)).toEqual(positions.map(({ id }) => id));
    for (const row of body.positions) {
      const { positionId } = row;
      const one = { positionId, scenarios: SCENARIOS };
      const whatIf = (await harness.call<WhatIfAnswer>('POST', '/v1/simulate/what-if', one)).body;
      const stressed = { positionId, scenarios: STRESSES };
      const stress = (await harness.call<StressTestAnswer>('POST', '/v1/simulate/stress-test', stressed))
        .body;
      const { results, combined, liquidationRiskFrom, assumptions } = whatIf;
      expect(row.whatIf).toEqual({ results, combined, liquidationRiskFrom, assumptions });
      expect(row.stress).toEqual({ results: stress.results, assumptions: stress.assumptions });
      expect(row.currentHealthFactor).toEqual(whatIf.currentHealthFactor);
      expect(row.priceTime).toEqual(whatIf.priceTime);
    }
  });

  it('the totals are sums of the rows, with the lowest health factor', async () => {
    const positions = five();
    const { body } = await simulate({ scenarios: SCENARIOS, stressScenarios: STRESSES });
    const { totals } = body;
    const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0);
    expect(totals.positions).toBe(5);
    expect(totals.netWorthUsd).toBeCloseTo(sum(positions.map(({ netWorthUsd }) => netWorthUsd)), 6);
    expect(totals.whatIf.map(({ scenario, positionsMoved }) => [scenario, positionsMoved])).toEqual([
      ['ETH -20%', 5],
      ['usdc +3.5%', 5],
    ]);
    for (const [at, total] of totals.whatIf.entries()) {
      const results = body.positions.map((row) => row.whatIf!.results[at]!);
      const factors = results.flatMap(({ newHealthFactor }) => newHealthFactor ?? []);
      expect(total.estimatedLoss).toBeCloseTo(sum(results.map(({ estimatedLoss }) => estimatedLoss)), 6);
      expect(total.lossSplit.penaltyUsd).toBeCloseTo(
        sum(results.map(({ lossSplit }) => lossSplit.penaltyUsd)),
        6,
      );
      expect(total.lowestHealthFactor).toBe(Math.min(...factors));
      expect(total.positionsLiquidatable).toBe(factors.filter((factor) => factor < 1).length);
    }
    for (const [at, total] of totals.stress.entries()) {
      const results = body.positions.map((row) => row.stress!.results[at]!);
      expect(total.scenario).toBe(STRESSES[at]);
      expect(total.collateralUsd).toBeCloseTo(sum(results.map(({ collateralUsd }) => collateralUsd)), 6);
      expect(total.debtUsd).toBeCloseTo(sum(results.map(({ debtUsd }) => debtUsd)), 6);
      expect(total.positionsLiquidatable).toBe(results.filter(({ liquidated }) => liquidated).length);
    }
    expect(totals.whatIf[0]!.positionsLiquidatable).toBeGreaterThan(0);
    expect(totals.combined!.estimatedLoss).toBeGreaterThan(0);
  });

  it('a scenario about an asset of some positions leaves the others as they are', async () => {
    const [, other] = store(
      samplePosition('eth', { WETH: 1 }, { USDC: 1_000 }),
      samplePosition('btc', { WBTC: 1 }, { USDC: 1_000 }),
    );
    const { body } = await simulate({ scenarios: [{ asset: 'ETH', priceChangePercent: -50 }] });
    expect(body.totals.whatIf[0]).toMatchObject({ positionsMoved: 1 });
    expect(body.positions[1]?.whatIf?.results[0]).toMatchObject({
      movedAssets: [],
      newHealthFactor: other!.healthFactor,
      estimatedLoss: 0,
    });
    expect(body.positions[1]).not.toHaveProperty('stress');
    expect(body.totals.stress).toEqual([]);
  });

  it('lists what cannot be priced or read, and counts it in no total', async () => {
    const unpriced = samplePosition('unpriced', { WETH: 1 }, { USDC: 100 });
    unpriced.collateralAssets[0]!.usdValue = 0;
    store(samplePosition('priced', { WETH: 1 }, { USDC: 1_000 }), unpriced);
    harness.upstream.unreadable = [{ protocol: 'venus', chainId: 1, reason: 'node_failed' }];
    const { body } = await simulate({ stressScenarios: ['crypto_minus_20'] });
    expect(body.notSimulated).toEqual([
      {
        positionId: unpriced.id,
        protocol: 'aave-v3',
        chainId: 1,
        wallet: unpriced.wallet,
        reason: 'no_price',
      },
    ]);
    expect(body.unreadable).toEqual(harness.upstream.unreadable);
    expect(body.totals).toMatchObject({ positions: 1, combined: null, whatIf: [] });
  });

  it('reads the wallets, the group, or all watched wallets', async () => {
    const [position] = store(samplePosition('one', { WETH: 1 }, { USDC: 1_000 }));
    const stressScenarios = ['crypto_minus_20'];
    const named = await simulate({ stressScenarios, wallets: [position!.wallet] });
    expect(named.status).toBe(200);
    const group = newId('wgr');
    expect((await simulate({ stressScenarios, walletGroupId: group })).status).toBe(200);
    await simulate({ stressScenarios });
    const queries = harness.upstream.calls.map((call) => new URL(call, 'http://x').searchParams);
    expect(queries.map((query) => [query.get('wallet'), query.get('walletGroupId')])).toEqual([
      [position!.wallet.toLowerCase(), null],
      [null, group],
      [null, null],
    ]);
  });

  it('200 without positions', async () => {
    const { status, body } = await simulate({ scenarios: SCENARIOS, stressScenarios: STRESSES });
    expect(status).toBe(200);
    expect(body).toMatchObject({ positions: [], notSimulated: [] });
    expect(body.totals).toMatchObject({ positions: 0, netWorthUsd: 0, lowestHealthFactor: null });
    expect(body.totals.stress).toHaveLength(3);
  });

  it.each([
    [{}, 'scenarios', 'required'],
    [{ scenarios: [] }, 'scenarios', 'array_min_size'],
    [{ scenarios: [{ asset: 'DOGE', priceChangePercent: -1 }] }, 'scenarios[0].asset', 'not_held'],
    [{ stressScenarios: ['march_2020', 'x'] }, 'stressScenarios[1]', 'unknown_scenario'],
    [{ stressScenarios: ['march_2020'], wallets: ['0x12'] }, 'wallets[0]', 'invalid_address'],
    [
      { stressScenarios: ['march_2020'], wallets: [`0x${'1'.repeat(40)}`], walletGroupId: newId('wgr') },
      'walletGroupId',
      'unexpected',
    ],
    [{ stressScenarios: ['march_2020'], wallet: '0x12' }, 'wallet', 'unknown_field'],
  ])('400 that names the field: %j', async (sent, field, code) => {
    store(samplePosition('one', { WETH: 1 }, { USDC: 1_000 }));
    const { status, body } = await simulate(sent);
    expect([status, body.errors?.[0]?.field, body.errors?.[0]?.code]).toEqual([400, field, code]);
  });

  it('400 tier_limit_exceeded above the results of the tier, and nothing is calculated', async () => {
    store(...Array.from({ length: 48 }, (_, at) => samplePosition(`${at}`, { WETH: 1 }, { USDC: 1_000 })));
    const stressScenarios = Array.from({ length: 50 }, () => 'march_2020');
    const refused = await simulate({ stressScenarios }, 'business');
    expect([refused.status, refused.body.code, refused.body.requiredTier]).toEqual([
      400,
      'tier_limit_exceeded',
      'enterprise',
    ]);
    expect(48 * 50).toBeGreaterThan(TIER_LIMITS.business.portfolioResults);
    expect((await simulate({ stressScenarios })).body.totals.positions).toBe(48);
    expect((await simulate({ stressScenarios: ['march_2020'] }, 'pro')).status).toBe(403);
  });

  it('a small portfolio of another account does not wait for a large one', async () => {
    store(...Array.from({ length: 48 }, (_, at) => samplePosition(`${at}`, { WETH: 1 }, { USDC: 1_000 })));
    const small = harness.storePosition({
      ...samplePosition('small', { WETH: 1 }, { USDC: 1_000 }),
      wallet: `0x${'2'.repeat(40)}`,
    });
    const ended: string[] = [];
    const run = async (label: string, accountId: string, body: object): Promise<void> => {
      const { status } = await harness.request('POST', '/v1/simulate/portfolio', { body, accountId });
      expect(status).toBe(200);
      ended.push(label);
    };
    const large = { stressScenarios: Array.from({ length: 50 }, () => 'march_2020') };
    const heavy = newId('acc');
    const runs = Array.from({ length: 4 }, () => run('large', heavy, large));
    await run('small', newId('acc'), { stressScenarios: ['march_2020'], wallets: [small.wallet] });
    await Promise.all(runs);
    expect(ended[0]).toBe('small');
  });
});
