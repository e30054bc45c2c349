import type {
  AiSuggestions,
  ForecastAnswer,
  MonteCarloAnswer,
  PortfolioSimulation,
  PositionDetail,
  PositionList,
  RiskMetrics,
  RiskQaAnswer,
  RiskScoreAnswer,
  StoredReceipt,
  StressTestAnswer,
  WhatIfAnswer,
} from '@plimsoll/contracts';
import { devnetAsset } from '@plimsoll/devnet';
import { type ReceiptKey, verifyReceipt } from '@plimsoll/sdk/verify';
import { waitFor } from '@plimsoll/testing';
import { type Hex, decodeFunctionResult, encodeFunctionData, numberToHex, pad, parseAbi } from 'viem';
import { apiClient, type ApiClient } from '../platform/api-client';
import { startOwnPlatform, type Platform } from '../platform/start-platform';

const poolAbi = parseAbi([
  'function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)',
]);
/** The storage slot with the price of the devnet's feeds. */
const ANSWER_SLOT = pad('0x00', { size: 32 });

/** Rounds to the nearest integer, a half upwards. Doubles would round half of the halves down. */
const nearest = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

describe('simulations on the whole platform', () => {
  let platform: Platform;
  let api: ApiClient;
  let positions: PositionList['positions'];

  beforeAll(async () => {
    platform = await startOwnPlatform();
    api = apiClient(platform.baseUrl, await platform.createKey('enterprise'));
    const wallets = platform.wallets.filter(({ plan }) => plan.healthFactor !== null);
    const list = await api.get<PositionList>(
      `/positions?wallet=${wallets.map(({ address }) => address)}&include=assets&limit=200`,
    );
    positions = list.body.positions;
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
  }, 60_000);

  async function call<T>(method: string, params: unknown[]): Promise<T> {
    const response = await fetch(platform.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(10_000),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The contract's own figure at a block, with overridden feeds. */
  async function contractHealthFactor(
    wallet: string,
    block: number,
    prices: Map<string, bigint>,
  ): Promise<number> {
    const data = encodeFunctionData({
      abi: poolAbi,
      functionName: 'getUserAccountData',
      args: [wallet as Hex],
    });
    const overrides = Object.fromEntries(
      [...prices].map(([symbol, price]) => [
        devnetAsset(platform.devnet, symbol).aggregator,
        { stateDiff: { [ANSWER_SLOT]: numberToHex(price, { size: 32 }) } },
      ]),
    );
    const answer = await call<Hex>('eth_call', [
      { to: platform.devnet.pool, data },
      numberToHex(block),
      overrides,
    ]);
    const [, , , , , healthFactor] = decodeFunctionResult({
      abi: poolAbi,
      functionName: 'getUserAccountData',
      data: answer,
    });
    return Number(healthFactor) / 1e18;
  }

  it('a portfolio has the figures of each of its positions', async () => {
    const scenarios = [{ asset: 'ETH', priceChangePercent: -20 }];
    const stressScenarios = ['march_2020', 'crypto_minus_50'];
    const wallets = [...new Set(positions.map(({ wallet }) => wallet))];
    const body = { scenarios, stressScenarios, wallets };
    const portfolio = (await api.post<PortfolioSimulation>('/simulate/portfolio', body)).body;
    expect(portfolio).toMatchObject({ notSimulated: [], unreadable: [] });
    const ids = portfolio.positions.map(({ positionId }) => positionId);
    expect(ids.toSorted()).toEqual(positions.map(({ id }) => id).toSorted());
    // Interest accrues between two blocks. The suite of the service compares each digit.
    const near = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 5));
    for (const { positionId, whatIf, stress } of portfolio.positions) {
      const stressed = { positionId, scenarios: stressScenarios };
      const { results } = (await api.post<StressTestAnswer>('/simulate/stress-test', stressed)).body;
      expect(stress!.results.map(({ healthFactor }) => healthFactor)).toEqual(
        results.map(({ healthFactor }) => near(healthFactor)),
      );
      if (whatIf!.results[0]!.movedAssets.length === 0) continue;
      const one = await api.post<WhatIfAnswer>('/simulate/what-if', { positionId, scenarios });
      expect(whatIf!.combined.newHealthFactor).toEqual(near(one.body.combined.newHealthFactor));
    }
  }, 60_000);

  it("a what-if equals Aave's own figure with overridden feeds", async () => {
    expect(positions.length).toBeGreaterThan(50);
    const changes = { WETH: -23.7, WBTC: 11.3, LINK: -61.25, USDC: -1.1, DAI: 2.5 };
    const responses: {
      block: number;
      wallet: string;
      prices: Map<string, bigint>;
      newHealthFactor: number | null;
    }[] = [];
    for (const { id, wallet, collateralAssets = [], debtAssets = [] } of positions) {
      const legs = new Map(
        [...collateralAssets, ...debtAssets].map((leg) => [leg.asset, BigInt(leg.priceRaw)]),
      );
      const scenarios = Object.entries(changes).filter(([symbol]) => legs.has(symbol));
      const { status, body } = await api.post<WhatIfAnswer>('/simulate/what-if', {
        positionId: id,
        scenarios: scenarios.map(([asset, priceChangePercent]) => ({ asset, priceChangePercent })),
      });
      expect(status).toBe(200);
      const shocked = (symbol: string, percent: number): [string, bigint] => [
        symbol,
        nearest(legs.get(symbol)! * BigInt(Math.round(percent * 100) + 10_000), 10_000n),
      ];
      const block = body.asOfBlock['1']!;
      for (const [i, [symbol, percent]] of scenarios.entries()) {
        const prices = new Map([shocked(symbol, percent)]);
        responses.push({ block, wallet, prices, newHealthFactor: body.results[i]!.newHealthFactor });
      }
      const prices = new Map(scenarios.map(([symbol, percent]) => shocked(symbol, percent)));
      responses.push({ block, wallet, prices, newHealthFactor: body.combined.newHealthFactor });
    }
    const last = Math.max(...responses.map(({ block }) => block));
    // For the newest block, anvil may use the state of the next one.
    await waitFor(async () => Number(await call<Hex>('eth_blockNumber', [])) > last, {
      message: `the chain is past block ${last}`,
    });
    for (const { wallet, block, prices, newHealthFactor } of responses) {
      expect({ wallet, block, newHealthFactor }).toEqual({
        wallet,
        block,
        newHealthFactor: await contractHealthFactor(wallet, block, prices),
      });
    }
  }, 120_000);

  it('the history of the local market leads to probability, score, forecast and portfolio risk', async () => {
    const { id } = positions.find(({ healthFactor }) => healthFactor !== null && healthFactor > 1.1)!;
    const request = { positionId: id, iterations: 1_000, horizonDays: 30 };
    const monteCarlo = await waitFor(
      async () => {
        const { status, body } = await api.post<MonteCarloAnswer>('/simulate/monte-carlo', request);
        return status === 200 && body;
      },
      { timeoutMs: 60_000, message: 'the history is known' },
    );
    expect(monteCarlo).toMatchObject({ model: 'fhs', historySource: ['local-market'] });
    expect(monteCarlo.historyWindow!.days).toBeGreaterThan(300);
    const score = await api.get<RiskScoreAnswer>(`/positions/${id}/risk-score`);
    expect([score.status, score.body.model]).toEqual([200, 'fhs']);
    const forecast = await api.post<ForecastAnswer>(`/positions/${id}/forecast`);
    expect(forecast.body.distancePercent).toBeGreaterThan(0);
    const wallets = positions.slice(0, 20).map(({ wallet }) => wallet);
    const metrics = await api.get<RiskMetrics>(`/risk/metrics?wallet=${wallets}`);
    expect(metrics.body.positions).toBeGreaterThanOrEqual(20);
    expect(metrics.body.cvar95!).toBeGreaterThanOrEqual(metrics.body.var95!);
  }, 120_000);

  it('a simulation with a receipt runs again to the same bits', async () => {
    const { id } = positions.find(({ healthFactor }) => healthFactor !== null)!;
    const body = { positionId: id, iterations: 1_000, horizonDays: 30 };
    const plain = await api.post<MonteCarloAnswer>('/simulate/monte-carlo', body);
    const { keys } = (await (
      await fetch(new URL('/.well-known/plimsoll-keys.json', platform.baseUrl))
    ).json()) as { keys: ReceiptKey[] };
    for (const model of ['fhs', 'gbm']) {
      const made = await api.post<MonteCarloAnswer>('/simulate/monte-carlo', {
        ...body,
        model,
        receipt: true,
      });
      expect(made).toMatchObject({ status: 200 });
      const { receipt } = made.body;
      const { liquidationProbability, seed } = made.body;
      expect(receipt!.content.outputs.liquidationProbability).toBe(String(liquidationProbability));
      expect(receipt!.content.parameters.seed).toBe(seed);
      const stored = await api.get<StoredReceipt>(`/receipts/${receipt!.hash}`);
      expect(JSON.stringify(stored.body)).toBe(JSON.stringify(receipt));
      const outcome = await verifyReceipt(JSON.stringify(stored.body), { keys });
      expect(outcome).toMatchObject({ code: null, kind: 'simulation', isRecomputed: true });
    }
    expect(plain.body).not.toHaveProperty('receipt');
  });

  it('texts and suggestions of ai contain these figures, and the suggestions have the stated effect', async () => {
    const { id } = positions.find(({ healthFactor }) => healthFactor !== null && healthFactor > 1.1)!;
    const asked = await api.post<RiskQaAnswer>('/ai/risk-qa', {
      question: `What is the health factor of ${id}?`,
    });
    expect([asked.status, asked.headers.get('x-answer-generator')]).toEqual([200, 'template']);
    const { body: detail } = await api.get<PositionDetail>(`/positions/${id}`);
    const fact = asked.body.facts.find((each) => each.id === `position.${id}.healthFactor`);
    expect(fact?.value).toBeCloseTo(detail.healthFactor!, 4);
    const repay = await waitFor(
      async () => {
        const { body } = await api.post<AiSuggestions>('/ai/suggestions', { positionIds: [id] });
        const found = body.suggestions.find(({ type }) => type === 'repay_debt');
        return found?.figures.liquidationProbability30dBefore != null && found;
      },
      { timeoutMs: 60_000, message: 'a repayment is confirmed' },
    );
    const { healthFactorAfter, liquidationProbability30dBefore, liquidationProbability30dAfter } =
      repay.figures;
    expect(Math.abs(healthFactorAfter! - repay.target.value)).toBeLessThanOrEqual(1e-6);
    expect(liquidationProbability30dAfter!).toBeLessThan(liquidationProbability30dBefore!);
  }, 120_000);
});
