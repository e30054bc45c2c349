import type { MonteCarloAnswer, Tier } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { simulationsWaiting } from '../src/metrics';
import { closes, samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

const PATH = '/v1/simulate/monte-carlo';

describe('POST /v1/simulate/monte-carlo', () => {
  let harness: SimulationHarness;
  let positionId: string;
  const run = (body: object, tier?: Tier) =>
    harness.call<MonteCarloAnswer>(
      'POST',
      PATH,
      { positionId, iterations: 1_000, horizonDays: 30, ...body },
      tier,
    );

  beforeAll(async () => {
    harness = await SimulationHarness.start(['ETH', 'BTC', 'USDC', 'DAI'], {
      SIMULATION_WORKERS: 1,
      SIMULATION_QUEUE: 2,
      SIMULATION_DEADLINE_MS: 20_000,
    });
    positionId = harness.storePosition(samplePosition('two', { WETH: 10, WBTC: 0.2 }, { USDC: 30_000 })).id;
  }, 60_000);
  afterAll(() => harness?.close());

  it('200 with the probability, the percentiles and their basis', async () => {
    const { status, body } = await run({});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      positionId,
      iterations: 1_000,
      horizonDays: 30,
      model: 'fhs',
      method: 'monte_carlo',
      historySource: ['local-market'],
      historyWindow: { from: '2025-11-20', to: '2026-11-20', days: 365 },
      asOfBlock: { '1': 100 },
      priceTime: '2026-11-21T12:00:00.000Z',
    });
    expect(body.liquidationProbability).toBeGreaterThan(0);
    expect(body.standardError).toBeGreaterThan(0);
    const { p5, p50, p95 } = body.percentiles;
    expect(p5.healthFactor!).toBeLessThan(p50.healthFactor!);
    expect(p50.healthFactor!).toBeLessThan(p95.healthFactor!);
  });

  it('the same request gets the same figures; a given seed gets others, the same each time', async () => {
    const [first, second] = [await run({}), await run({})];
    expect(second.body).toEqual(first.body);
    const [own, again] = [await run({ seed: 7 }), await run({ seed: 7 })];
    expect(again.body).toEqual(own.body);
    expect(own.body.seed).toBe(7);
    expect(own.body.percentiles).not.toEqual(first.body.percentiles);
  });

  it('equal positions get the same figures on any chain, in any wallet and of any size', async () => {
    const first = samplePosition('two', { WETH: 10, WBTC: 0.2 }, { USDC: 30_000 });
    const elsewhere = samplePosition('elsewhere', { WETH: 10, WBTC: 0.2 }, { USDC: 30_000 });
    const wallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
    const { id: other } = harness.storePosition({ ...elsewhere, chainId: 8_453, wallet });
    const { id: larger } = harness.storePosition(
      samplePosition('larger', { WETH: 40, WBTC: 0.8 }, { USDC: 120_000 }),
    );
    const figuresOf = async (id: string) => {
      const { seed, liquidationProbability, standardError } = (await run({ positionId: id })).body;
      return { seed, liquidationProbability, standardError };
    };
    const figures = await figuresOf(first.id);
    expect(await figuresOf(other)).toEqual(figures);
    expect(await figuresOf(larger)).toEqual(figures);
  });

  it('states its drift: zero by default, the past’s, or a given one', async () => {
    const none = await run({});
    expect(none.body.drift).toEqual({ method: 'none', annualised: { ETH: 0, BTC: 0, USDC: 0 } });
    const given = await run({ drift: -1.5, seed: none.body.seed });
    expect(given.body.drift).toEqual({ method: 'given', annualised: { ETH: -1.5, BTC: -1.5, USDC: 0 } });
    expect(given.body.liquidationProbability).toBeGreaterThan(none.body.liquidationProbability);
    for (const model of ['fhs', 'gbm']) {
      const past = await run({ drift: 'historical', model });
      const prices = closes('ETH');
      const grown = Math.log(prices.at(-1)! / prices.at(-366)!);
      expect(past.body.drift.method).toBe('historical');
      expect(past.body.drift.annualised['ETH']).toBeCloseTo(grown, 6);
    }
  });

  it('the median ends at the current health factor without a trend, under both models', async () => {
    const { id } = harness.storePosition(samplePosition('one', { WETH: 10 }, { USDC: 16_000 }));
    for (const model of ['fhs', 'gbm']) {
      const { body } = await run({ positionId: id, model, iterations: 5_000 }, 'enterprise');
      expect(body.percentiles.p50.healthFactor! / body.currentHealthFactor!).toBeCloseTo(1, 1);
    }
  });

  it('0 of 1,000 paths has an upper bound', async () => {
    const { id } = harness.storePosition(samplePosition('safe', { WETH: 1_000 }, { USDC: 100 }));
    const { body } = await run({ positionId: id, horizonDays: 7 });
    expect(body).toMatchObject({ liquidationProbability: 0, standardError: 0 });
    expect(body.upperBound95).toBeCloseTo(1 - 0.05 ** (1 / 1_000), 10);
    expect((await run({})).body.upperBound95).toBeNull();
  });

  it('200 under gbm, with its own method', async () => {
    const { body } = await run({ model: 'gbm' });
    expect(body).toMatchObject({ model: 'gbm', method: 'quasi_monte_carlo' });
  });

  it('200 for other amounts: the same paths, the health factor after them', async () => {
    const today = await run({});
    const repaid = await run({ changes: [{ asset: 'usdc', side: 'debt', usd: -10_000 }] });
    expect(repaid.status).toBe(200);
    expect(repaid.body.seed).toBe(today.body.seed);
    expect(repaid.body.currentHealthFactor).toBe(today.body.currentHealthFactor);
    expect(repaid.body.changedHealthFactor).toBeCloseTo(today.body.currentHealthFactor! * 1.5, 8);
    expect(repaid.body.liquidationProbability).toBeLessThan(today.body.liquidationProbability);
    expect(today.body).not.toHaveProperty('changedHealthFactor');
    const closed = await run({ changes: [{ asset: 'USDC', side: 'debt', usd: -30_000 }] });
    expect(closed.body).toMatchObject({ changedHealthFactor: null, liquidationProbability: 0 });
  });

  it('200 in an e-mode: the health factor is recomputed with its thresholds', async () => {
    const stables = samplePosition('stables', { USDC: 10_000 }, { DAI: 7_000 });
    const collateral = stables.collateralAssets.map(({ address }) => ({
      address: address.toLowerCase(),
      liquidationThresholdBps: 9_300,
    }));
    const expected = (10_000 * 0.93) / (7_000 * 0.9998);
    // The position's own field must not be repeated, so it has another value here.
    const eMode = { id: 3, label: 'Stablecoins', healthFactor: 9, healthFactorRaw: '9', collateral };
    const { id } = harness.storePosition({ ...stables, eModes: [eMode] });
    const { status, body } = await run({ positionId: id, eMode: 3 });
    expect(status).toBe(200);
    expect(Math.abs(body.changedHealthFactor! - expected)).toBeLessThan(1e-6);
    expect(body.currentHealthFactor).toBeCloseTo((10_000 * 0.78) / (7_000 * 0.9998), 3);
    const both = await run({
      positionId: id,
      eMode: 3,
      changes: [{ asset: 'DAI', side: 'debt', usd: -3_499.3 }],
    });
    expect(both.body.changedHealthFactor).toBeCloseTo(expected * 2, 6);
    const refused = await run({ positionId: id, eMode: 4 });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ field: 'eMode', code: 'not_available' }]);
  });

  it.each([
    ['an asset that is not held', { asset: 'LINK', side: 'collateral', usd: 1 }, 'changes[0]'],
    ['more than there is', { asset: 'USDC', side: 'debt', usd: -30_001 }, 'changes[0]'],
    ['a side that is none', { asset: 'USDC', side: 'top', usd: 1 }, 'changes[0].side'],
  ])('400 naming the change for %s', async (_, change, field) => {
    const { status, body } = await run({ changes: [change] });
    expect(status).toBe(400);
    expect(body.errors?.map((error) => error.field)).toContain(field);
  });

  it('has a probability that grows with the horizon and is 0 without debt', async () => {
    const short = await run({ horizonDays: 1 });
    const long = await run({ horizonDays: 365 });
    expect(long.body.liquidationProbability).toBeGreaterThan(short.body.liquidationProbability);
    const { id } = harness.storePosition(samplePosition('no-debt', { LINK: 1 }, {}));
    const { status, body } = await run({ positionId: id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      currentHealthFactor: null,
      liquidationProbability: 0,
      standardError: 0,
      percentiles: { p5: { healthFactor: null } },
      historySource: null,
    });
  });

  it.each([
    ['0 iterations', { iterations: 0 }, 'iterations'],
    ['negative iterations', { iterations: -5 }, 'iterations'],
    ['half an iteration', { iterations: 1.5 }, 'iterations'],
    ['a horizon of 0', { horizonDays: 0 }, 'horizonDays'],
    ['a horizon of 366', { horizonDays: 366 }, 'horizonDays'],
    ['an unknown model', { model: 'magic' }, 'model'],
    ['a negative seed', { seed: -1 }, 'seed'],
    ['an unknown drift', { drift: 'bull' }, 'drift'],
    ['a drift that no market has', { drift: 11 }, 'drift'],
    ['a drift of null', { drift: null }, 'drift'],
    ['a typo', { horizon: 3 }, 'horizon'],
  ])('400 naming the field for %s', async (_, body, field) => {
    const response = await run(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  });

  it.each([
    ['pro', 1_001, 'business'],
    ['business', 5_001, 'enterprise'],
    ['enterprise', 100_001, 'fewer'],
    ['pro', 1e9, 'fewer'],
  ] as const)('400 tier_limit_exceeded on %s for %d iterations', async (tier, iterations, remedy) => {
    const { status, body } = await run({ iterations }, tier);
    expect(status).toBe(400);
    expect(body.code).toBe('tier_limit_exceeded');
    expect(body.detail).toContain(remedy);
  });

  it('200 at the cap of each tier', async () => {
    for (const [tier, iterations] of [
      ['pro', 1_000],
      ['business', 5_000],
      ['enterprise', 100_000],
    ] as const) {
      expect(await run({ iterations }, tier)).toMatchObject({ status: 200, body: { iterations } });
    }
  });

  it('503 naming the asset without history, under both models', async () => {
    const { id } = harness.storePosition(samplePosition('link', { LINK: 1_000 }, { USDC: 5_000 }));
    for (const model of ['fhs', 'gbm']) {
      const { status, headers, body } = await run({ positionId: id, model });
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('60');
      expect(body.code).toBe('upstream_unavailable');
      expect(body.detail).toContain('LINK');
      expect(body.detail).not.toContain('USDC');
    }
  });

  it('404 for an unknown position', async () => {
    expect((await run({ positionId: 'pos_0000000000000000000000' })).body.code).toBe('not_found');
  });

  it('a client that disconnects frees the simulator immediately', async () => {
    const left = new AbortController();
    const body = { positionId, iterations: 100_000, horizonDays: 365 };
    const call = () => harness.request('POST', PATH, { body, signal: left.signal });
    const calls = Promise.allSettled([call(), call(), call()]);
    const seen = harness.upstream.calls.length;
    await waitFor(() => harness.upstream.calls.length >= seen + 3, { message: 'all three are running' });
    left.abort();
    await calls;
    const waiting = async () => (await simulationsWaiting.get()).values[0]?.value;
    await waitFor(async () => (await waiting()) === 0, { message: 'no request is counted as waiting' });
    const before = performance.now();
    expect((await run({ iterations: 100 })).status).toBe(200);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('503 with Retry-After when the queue is full', async () => {
    // A thread may still end a run that its client left. It is free when another long run has ended.
    expect((await run({ iterations: 100_000 })).status).toBe(200);
    const many = await Promise.all(Array.from({ length: 8 }, () => run({ iterations: 100_000 })));
    const refused = many.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(refused.every(({ headers }) => headers.get('retry-after') === '2')).toBe(true);
    expect(many.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
  }, 60_000);
});

describe('a simulation that takes too long', () => {
  it('504 upstream_timeout', async () => {
    const harness = await SimulationHarness.start(['ETH', 'USDC'], { SIMULATION_DEADLINE_MS: 100 });
    const { id } = harness.storePosition(samplePosition('slow', { WETH: 10 }, { USDC: 16_000 }));
    const { status, body } = await harness.call('POST', PATH, {
      positionId: id,
      iterations: 100_000,
      horizonDays: 365,
    });
    expect(status).toBe(504);
    expect(body.code).toBe('upstream_timeout');
    await harness.close();
  }, 60_000);
});
