import type { RiskMetrics } from '@plimsoll/contracts';
import { portfolioRisk, simpleReturns } from '@plimsoll/risk-math';
import { closes, samplePosition } from './samples';
import { SimulationHarness } from './simulation-harness';

describe('GET /v1/risk/metrics', () => {
  let harness: SimulationHarness;
  const metrics = (query = '') => harness.call<RiskMetrics>('GET', `/v1/risk/metrics${query}`);

  beforeAll(async () => {
    harness = await SimulationHarness.start(['ETH', 'BTC', 'USDC']);
  }, 60_000);
  afterAll(() => harness?.close());
  beforeEach(() => {
    harness.upstream.positions.clear();
    harness.upstream.unreadable = [];
  });

  it('200 over all pages of the positions, with supply and debt of a price netted', async () => {
    harness.storePosition(samplePosition('a', { WETH: 10 }, { USDC: 16_000 }));
    harness.storePosition(samplePosition('b', { WBTC: 0.5 }, { WETH: 4 }));
    harness.storePosition(samplePosition('c', { USDC: 1_000 }, {}));
    const { status, body } = await metrics();
    expect(status).toBe(200);
    const exposure = { ETH: 6 * 3_000, BTC: 48_000, USDC: -15_000 };
    const expected = portfolioRisk(
      Object.entries(exposure).map(([symbol, netUsd]) => ({
        netUsd,
        dailyReturns: simpleReturns(closes(symbol).slice(-366)),
      })),
    )!;
    expect(body.netWorthUsd).toBeCloseTo(51_000, 6);
    expect(body.var95).toBeCloseTo(expected.var95, 10);
    expect(body.cvar95).toBeCloseTo(expected.cvar95, 10);
    expect(body.portfolioVolatility).toBeCloseTo(expected.portfolioVolatility, 10);
    expect(body.sharpeRatio).toBeCloseTo(expected.sharpeRatio!, 10);
    expect(body.cvar95!).toBeGreaterThanOrEqual(body.var95!);
    expect(body).toMatchObject({ positions: 3, priceTime: '2026-11-21T12:00:00.000Z', unreadable: [] });
  });

  it('200 for one position', async () => {
    harness.storePosition(samplePosition('a', { WETH: 10 }, { USDC: 16_000 }));
    const { id } = harness.storePosition(samplePosition('b', { WETH: 1 }, {}));
    const { body } = await metrics(`?positionId=${id}`);
    expect(body).toMatchObject({ positions: 1, netWorthUsd: 3_000 });
  });

  it('counts supplies that are not collateral towards the net worth', async () => {
    const held = samplePosition('beside', { WETH: 10, USDC: 76_000 }, { USDC: 5_000 });
    const collateralAssets = held.collateralAssets.map((leg) =>
      leg.asset === 'USDC' ? { ...leg, usedAsCollateral: false } : leg,
    );
    harness.storePosition({ ...held, collateralAssets });
    expect((await metrics()).body.netWorthUsd).toBeCloseTo(30_000 + 76_000 - 5_000, 6);
  });

  it('200 with zeros without positions, nulls if the net worth is not positive', async () => {
    expect((await metrics()).body).toMatchObject({
      var95: 0,
      cvar95: 0,
      portfolioVolatility: 0,
      positions: 0,
    });
    harness.storePosition(samplePosition('under', { WETH: 1 }, { USDC: 5_000 }));
    expect((await metrics()).body).toMatchObject({ var95: null, sharpeRatio: null, positions: 1 });
  });

  it('200 with nulls if nothing could be read: unknown positions do not mean a risk of 0', async () => {
    const unreadable = [{ protocol: 'aave-v3', chainId: 1, reason: 'rpc_unavailable' }];
    harness.upstream.unreadable = unreadable;
    const { status, body } = await metrics();
    expect(status).toBe(200);
    expect(body).toMatchObject({ var95: null, cvar95Usd: null, portfolioVolatility: null, positions: 0 });
    expect(body.unreadable).toEqual(unreadable);
  });

  it('lists the unreadable wallets of all pages', async () => {
    for (const name of ['a', 'b', 'c']) harness.storePosition(samplePosition(name, { WETH: 1 }, {}));
    harness.upstream.unreadable = [{ protocol: 'aave-v3', chainId: 1, reason: 'deadline_exceeded' }];
    const { body } = await metrics();
    expect(body).toMatchObject({ positions: 3, unreadable: harness.upstream.unreadable });
  });

  it('400 for wallet and positionId at once, 404 for an unknown position, 503 naming assets without history', async () => {
    const { id, wallet } = harness.storePosition(samplePosition('a', { LINK: 10 }, { USDC: 10 }));
    expect((await metrics(`?wallet=${wallet}&positionId=${id}`)).body.code).toBe('invalid_request');
    expect((await metrics('?positionId=pos_0000000000000000000000')).body.code).toBe('not_found');
    const { status, body } = await metrics(`?wallet=${wallet}`);
    expect(status).toBe(503);
    expect(body.detail).toContain('LINK');
  });
});
