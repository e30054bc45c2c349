import { createHmac } from 'node:crypto';
import {
  type AlertList,
  type CreatedWebhook,
  type ExecutionAnswer,
  type ExecutionList,
  type MonteCarloAnswer,
  type PositionDetail,
  type PositionList,
  type RiskQaAnswer,
  type RuleAnswer,
  type StoredReceipt,
  type StreamPosition,
  WEBHOOK_HEADERS,
  type WebhookEnvelope,
  type WhaleActivityList,
  type WhatIfAnswer,
} from '@plimsoll/contracts';
import { type SeedPlan, assetListing, seedFamilies, setPrice } from '@plimsoll/devnet';
import { writePolicies } from '@plimsoll/devnet-executor';
import { type ReceivedRequest, type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type ApiClient, apiClient } from '../platform/api-client';
import { loggedErrors } from '../platform/logged-errors';
import { ServiceBuilds } from '../platform/service-builds';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { openStream } from '../platform/stream-client';

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
const WATCHED_AT = 1.4;
const EXECUTED_AT = 1.9;

const plan = (label: string, healthFactor: number): SeedPlan => ({
  label,
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor,
  eMode: false,
});

/** `npm run compat` repeats it with services of two versions. */
describe('one flow through every service', () => {
  const builds = ServiceBuilds.ofEnvironment();
  let receiver: Receiver;
  let platform: Platform;
  let key: string;
  let api: ApiClient;
  let webhook: CreatedWebhook['webhook'];
  let wallet: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    platform = await startOwnPlatform(
      { WHALE_THRESHOLD_USD: '100000', DEFAULT_CONFIRMATIONS: '1', FOLLOW_POLL_MS: '100' },
      { plans: [plan('watched', WATCHED_AT), plan('executed', EXECUTED_AT)], builds },
    );
    key = await platform.createKey('enterprise', 10_000);
    api = apiClient(platform.baseUrl, key);
    wallet = platform.wallets[0]!.address;
    expect((await api.post('/wallets', { address: wallet })).status).toBe(201);
    const created = await api.post<CreatedWebhook>('/webhooks', {
      url: `${receiver.url}/hook`,
      events: ['alert.created', 'alert.resolved'],
    });
    expect(created.status).toBe(201);
    webhook = created.body.webhook;
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
    await receiver?.close();
  }, 60_000);

  const priceFactor = (factor: number) =>
    setPrice(platform.rpcUrl, platform.devnet, 'WETH', SEEDED_USD * factor);
  const positionOf = async (address: string) => {
    const { body } = await api.get<PositionList>(`/positions?wallet=${address}`);
    return body.positions[0];
  };
  const activeAlerts = async () => {
    const { body } = await api.get<AlertList>('/alerts?status=active');
    return body.alerts.filter(({ positionId }) => positionId !== null);
  };
  const dataOf = ({ body }: ReceivedRequest) =>
    (JSON.parse(body.toString()) as WebhookEnvelope<'alert.created'>).data;
  const deliveryOf = (event: string, afterMs: number) =>
    receiver.waitForRequest(
      (request) =>
        request.headers[WEBHOOK_HEADERS.event] === event &&
        request.receivedAtMs > afterMs &&
        dataOf(request).position?.wallet === wallet,
      60_000,
    );

  /** Expects the alert of a fall in webhook, stream and list, and its end after the recovery. */
  async function fallAndRecover(factor: number): Promise<void> {
    const stream = await openStream(`${platform.streamsUrl}/positions`, key);
    await stream.waitForFrame('snapshot');
    const before = performance.now();
    await priceFactor(factor);
    const delivery = await deliveryOf('alert.created', before);
    expect(delivery.headers[WEBHOOK_HEADERS.signature]).toBe(
      createHmac('sha256', webhook.secret).update(delivery.body).digest('hex'),
    );
    const frame = await stream.waitForFrame('event', ({ data }) => {
      const { healthFactor } = data as StreamPosition;
      return healthFactor !== null && healthFactor < WATCHED_AT * factor + 0.01;
    });
    stream.close();
    const { id } = frame.data as StreamPosition;
    expect((await activeAlerts()).map(({ positionId }) => positionId)).toContain(id);

    const fallen = performance.now();
    await priceFactor(1);
    await deliveryOf('alert.resolved', fallen);
    await waitFor(async () => (await activeAlerts()).length === 0, { message: 'no active alert' });
  }

  it('positions has the watched wallet', async () => {
    const position = await waitFor(() => positionOf(wallet), { message: 'the position' });
    expect(position).toMatchObject({ protocol: 'aave-v3', chainId: 1 });
    expect(position.healthFactor).toBeCloseTo(WATCHED_AT, 2);
  }, 60_000);

  it('alerts, webhook-delivery and streams have its fall', () => fallAndRecover(0.845), 150_000);

  it('alerts and execution carry out a rule', async () => {
    const executed = platform.wallets[1]!;
    const { rpcUrl, devnet: addresses, executors } = platform;
    await writePolicies({ rpcUrl, addresses, executors }, [executed], ['flash_loan_unwind']);
    const { id } = await waitFor(() => positionOf(executed.address), { message: 'the position' });
    const action = { targetHealthFactor: EXECUTED_AT, strategy: 'flash_loan_unwind', maxSlippageBps: 60 };
    const rule = {
      name: 'deleverage',
      conditionType: 'health_factor_below',
      conditionValue: 1.5,
      positionId: id,
      actionType: 'deleverage',
      action,
    };
    const unsigned = await api.post<{ detail: string }>('/automation/rules', rule);
    expect(unsigned.status).toBe(409);
    const message = /“(.+)”/.exec(unsigned.body.detail)![1]!;
    const walletSignature: Hex = await privateKeyToAccount(executed.privateKey).signMessage({ message });
    const made = await api.post<RuleAnswer>('/automation/rules', {
      ...rule,
      action: { ...action, walletSignature },
    });
    expect(made.status).toBe(201);
    await priceFactor(0.78);
    const execution = await waitFor(
      async () => {
        const { body } = await api.get<ExecutionList>(`/automation/executions?ruleId=${made.body.rule.id}`);
        return body.executions.find(({ finishedAt }) => finishedAt !== null);
      },
      { timeoutMs: 60_000, intervalMs: 100, message: 'the end of the execution' },
    );
    expect(execution).toMatchObject({ status: 'completed' });
    await priceFactor(1);
    await waitFor(async () => (await activeAlerts()).length === 0, { message: 'no active alert' });
  }, 150_000);

  it('execution builds a deleverage with positions and market-data', async () => {
    const { id } = (await positionOf(wallet))!;
    const built = await waitFor(
      async () => {
        const body = { positionId: id, targetHealthFactor: 1.8, mode: 'build' };
        const response = await api.post<ExecutionAnswer>('/execution/deleverage', body);
        return response.status === 202 && response.body;
      },
      { message: 'the prices are known' },
    );
    expect(built.execution.transactions.length).toBeGreaterThan(0);
  }, 60_000);

  it('simulation has the history of market-data and a receipt of positions', async () => {
    const { id } = (await positionOf(wallet))!;
    const scenarios = [{ asset: 'ETH', priceChangePercent: -10 }];
    const whatIf = await api.post<WhatIfAnswer>('/simulate/what-if', { positionId: id, scenarios });
    expect(whatIf.body.combined.newHealthFactor).toBeCloseTo(WATCHED_AT * 0.9, 2);
    const run = { positionId: id, iterations: 1_000, horizonDays: 30, receipt: true };
    const { receipt } = await waitFor(
      async () => {
        const { status, body } = await api.post<MonteCarloAnswer>('/simulate/monte-carlo', run);
        return status === 200 && body;
      },
      { timeoutMs: 60_000, message: 'the history is known' },
    );
    const stored = await api.get<StoredReceipt>(`/receipts/${receipt!.hash}`);
    expect(stored.body).toEqual(receipt);
  }, 120_000);

  it('ai has the figures of positions', async () => {
    const { id } = (await positionOf(wallet))!;
    const question = `What is the health factor of ${id}?`;
    const { status, body } = await api.post<RiskQaAnswer>('/ai/risk-qa', { question });
    expect(status).toBe(200);
    const { body: detail } = await api.get<PositionDetail>(`/positions/${id}`);
    const fact = body.facts.find((each) => each.id === `position.${id}.healthFactor`);
    expect(fact?.value).toBeCloseTo(detail.healthFactor!, 4);
  }, 60_000);

  it('whales notifies alerts and streams of a move', async () => {
    const stream = await openStream(`${platform.streamsUrl}/whales`, key);
    const { strangers } = await seedFamilies(platform.rpcUrl, platform.devnet);
    await stream.waitForFrame('event');
    stream.close();
    await waitFor(
      async () => {
        const { body } = await api.get<WhaleActivityList>('/whales/activity?limit=200');
        return body.activity.some((move) => move.wallet.toLowerCase() === strangers[0]!.toLowerCase());
      },
      { message: 'the activity' },
    );
    expect((await api.post('/wallets', { address: strangers[0] })).status).toBe(201);
    // All of them repeat their act.
    await seedFamilies(platform.rpcUrl, platform.devnet);
    await waitFor(
      async () => {
        const { body } = await api.get<AlertList>('/alerts?status=active');
        return body.alerts.some(({ type }) => type === 'whale_move');
      },
      { message: 'the alert' },
    );
  }, 120_000);

  it('every service reads every event and logs no error', () => {
    expect(Object.values(platform.services).flatMap(loggedErrors)).toEqual([]);
  });

  it('continues after a deployment', async () => {
    const service = platform.services[builds?.replaced ?? 'alerts'];
    await service.stop();
    await service.start();
    await fallAndRecover(0.8);
  }, 240_000);
});
