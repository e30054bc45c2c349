import { RISK_THRESHOLDS, type WhatIfAnswer } from '@plimsoll/contracts';
import { samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

const UNKNOWN = 'pos_0000000000000000000000';

describe('POST /v1/simulate/what-if', () => {
  let harness: SimulationHarness;
  const ask = (positionId: string, ...scenarios: { asset: string; priceChangePercent: unknown }[]) =>
    harness.call<WhatIfAnswer>('POST', '/v1/simulate/what-if', { positionId, scenarios });
  const change = (asset: string, priceChangePercent: unknown) => ({ asset, priceChangePercent });

  beforeAll(async () => {
    harness = await SimulationHarness.start(['ETH', 'USDC']);
  }, 60_000);
  afterAll(() => harness?.close());

  it('200 with each scenario alone, all combined, and their basis', async () => {
    const { id } = harness.storePosition(samplePosition('simple', { WETH: 10 }, { USDC: 16_000 }));
    const { status, body } = await ask(id, change('ETH', -20), change('usdc', 10));
    expect(status).toBe(200);
    expect(body.currentHealthFactor).toBeCloseTo(1.546875, 12);
    expect(body.results.map(({ scenario, movedAssets }) => [scenario, movedAssets])).toEqual([
      ['ETH -20%', ['WETH']],
      ['usdc +10%', ['USDC']],
    ]);
    expect(body.results.map(({ newHealthFactor }) => newHealthFactor)).toEqual([
      expect.closeTo(1.2375, 12),
      expect.closeTo(1.40625, 12),
    ]);
    expect(body.results.map(({ liquidationRisk }) => liquidationRisk)).toEqual(['high', 'moderate']);
    expect(body.results[0]?.estimatedLoss).toBeCloseTo(6_000, 8);
    expect(body.combined.newHealthFactor).toBeCloseTo(1.125, 12);
    expect(body).toMatchObject({
      positionId: id,
      asOfBlock: { '1': 100 },
      priceTime: '2026-11-21T12:00:00.000Z',
      liquidationRiskFrom: 'health_factor',
      riskThresholds: RISK_THRESHOLDS,
    });
    expect(body.results[0]).toMatchObject({
      riskLevelBasis: 'health_factor',
      riskLevelReason: 'Health factor 1.2375 is between 1.10 and 1.25.',
    });
    expect(body.combined.riskLevelReason).toMatch(/^Health factor 1\.12\d+ is between 1\.10 and 1\.25\.$/);
  });

  it('ETH moves WETH and staking tokens, unless the list names them', async () => {
    const { id } = harness.storePosition(samplePosition('staked', { WETH: 1, wstETH: 1 }, { USDC: 2_000 }));
    const alone = await ask(id, change('eth', -10));
    expect(alone.body.results[0]?.movedAssets).toEqual(['WETH', 'wstETH']);
    const named = await ask(id, change('WETH', -10), change('WSTETH', -12));
    expect(named.body.results.map(({ movedAssets }) => movedAssets)).toEqual([['WETH'], ['wstETH']]);
    const lost = named.body.results.map(({ estimatedLoss }) => estimatedLoss);
    expect(named.body.combined.estimatedLoss).toBeCloseTo(lost[0]! + lost[1]!, 8);
  });

  it('a staked asset against its own has the level of its probability', async () => {
    await harness.publish(['ETH', 'WSTETH', 'USDC']);
    const { id } = harness.storePosition(samplePosition('loop', { WETH: 11 }, { WETH: 9 }));
    const { body } = await ask(id, change('ETH', -50));
    expect(body.liquidationRiskFrom).toBe('probability_7d');
    expect(body.results[0]).toMatchObject({ liquidationRisk: 'low', riskLevelBasis: 'probability_7d' });
    expect(body.results[0]?.newHealthFactor).toBeCloseTo(body.currentHealthFactor!, 8);
  });

  it('200 without debt, with a loss and a health factor of null', async () => {
    const { id } = harness.storePosition(samplePosition('no-debt', { WETH: 1 }, {}));
    const { status, body } = await ask(id, change('ETH', -10));
    expect(status).toBe(200);
    expect(body.results[0]).toMatchObject({ newHealthFactor: null, liquidationRisk: 'none' });
    expect(body.results[0]?.estimatedLoss).toBeCloseTo(300, 8);
  });

  it('200 for a fall to nothing and for the largest rise', async () => {
    const { id } = harness.storePosition(samplePosition('edges', { WETH: 1 }, { USDC: 1_000 }));
    const { body } = await ask(id, change('ETH', -100), change('ETH', 10_000));
    expect(body.results[0]).toMatchObject({
      newHealthFactor: 0,
      estimatedLoss: 2_000,
      lossSplit: { marketLossUsd: 2_000, penaltyUsd: 0, slippageUsd: 0, badDebtUsd: 1_000 },
    });
    expect(body.assumptions).toMatchObject({
      depthModel: 'constant-product-1',
      liquidationBonus: { ETH: 0.05 },
    });
    expect(body.results[1]?.newHealthFactor).toBeCloseTo(2.475 * 101, 8);
  });

  it.each([
    ['-101 %', change('ETH', -101), 'scenarios[0].priceChangePercent'],
    ['+1e9 %', change('ETH', 1e9), 'scenarios[0].priceChangePercent'],
    ['NaN', change('ETH', 'NaN'), 'scenarios[0].priceChangePercent'],
    ['null', change('ETH', null), 'scenarios[0].priceChangePercent'],
    ['an asset that is not held', change('LINK', -1), 'scenarios[0].asset'],
    ['an unknown asset', change('NOPE', -1), 'scenarios[0].asset'],
    ['an unknown field', { ...change('ETH', -1), percent: 3 }, 'scenarios[0].percent'],
  ])('400 naming the field for %s', async (_, scenario, field) => {
    const { id } = harness.storePosition(samplePosition('bad', { WETH: 1 }, { USDC: 1_000 }));
    const { status, body } = await ask(id, scenario);
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_request');
    expect(body.errors?.map((error) => error.field)).toContain(field);
  });

  it('400 for NaN as a bare word, for no scenario and for 51', async () => {
    const bare = '{"positionId":"x","scenarios":[{"asset":"ETH","priceChangePercent":NaN}]}';
    const path = '/v1/simulate/what-if';
    expect((await harness.call('POST', path, bare)).body.code).toBe('invalid_json');
    for (const count of [0, 51]) {
      const { status, body } = await ask(UNKNOWN, ...Array.from({ length: count }, () => change('ETH', -1)));
      expect(status).toBe(400);
      expect(body.errors?.[0]?.field).toBe('scenarios');
    }
  });

  it('404 for an unknown position', async () => {
    expect((await ask(UNKNOWN, change('ETH', -1))).body.code).toBe('not_found');
    expect((await ask('nonsense', change('ETH', -1))).body.code).toBe('not_found');
  });
});
