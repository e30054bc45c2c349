import {
  type AlertList,
  type AutomationExecution,
  type ExecutionList,
  type ExecutionStatusAnswer,
  type PositionList,
  type RuleAnswer,
  WEBHOOK_HEADERS,
  type WebhookEnvelope,
} from '@plimsoll/contracts';
import {
  type AnvilRpc,
  type SeedPlan,
  type SeededWallet,
  assetListing,
  connectAnvil,
  setPrice,
} from '@plimsoll/devnet';
import { writePolicies } from '@plimsoll/devnet-executor';
import { encodeRevokePolicy, executorAbi } from '@plimsoll/executor';
import { startReceiver, type Receiver, waitFor } from '@plimsoll/testing';
import { type Hex, createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { KEEPER_ADDRESS } from '../../tools/local-stack/parts/executors';
import { apiClient, type ApiClient } from '../platform/api-client';
import { startOwnPlatform, type Platform } from '../platform/start-platform';

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
const SEEDED_AT = 1.4;
const TARGET = 1.8;
const LABELS = ['undisturbed', 'alerts killed', 'execution killed', 'reorg', 'revoked'] as const;
type Label = (typeof LABELS)[number];

const plan = (label: string): SeedPlan => ({
  label,
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: SEEDED_AT,
  eMode: false,
});

describe('a rule that executes: price → rule → policy on chain → health factor at its target', () => {
  let receiver: Receiver;
  let platform: Platform;
  let rpc: AnvilRpc;
  let api: ApiClient;
  let policyIds: Hex[];

  beforeAll(async () => {
    receiver = await startReceiver();
    platform = await startOwnPlatform(
      {
        // Long enough for a reorg in between, and short enough for a quick takeover.
        DEFAULT_CONFIRMATIONS: '5',
        FOLLOW_POLL_MS: '100',
        LEASE_MS: '2000',
      },
      { plans: LABELS.map(plan) },
    );
    rpc = connectAnvil(platform.rpcUrl);
    api = apiClient(platform.baseUrl, await platform.createKey('enterprise', 10_000));
    const { rpcUrl, devnet: addresses, executors, wallets } = platform;
    policyIds = await writePolicies({ rpcUrl, addresses, executors }, wallets, ['flash_loan_unwind']);
    const url = `${receiver.url}/hook`;
    expect((await api.post('/webhooks', { url, events: ['alert.created'] })).status).toBe(201);
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
    await receiver?.close();
  }, 60_000);

  const walletOf = (label: Label): SeededWallet => platform.wallets[LABELS.indexOf(label)]!;
  /**
   * Lowers a position without an execution to this health factor, and an executed one below its previous one.
   */
  const fallTo = (healthFactor: number) =>
    setPrice(platform.rpcUrl, platform.devnet, 'WETH', (SEEDED_USD * healthFactor) / SEEDED_AT);
  const positionIdOf = async ({ address }: SeededWallet): Promise<string> =>
    (await api.get<PositionList>(`/positions?wallet=${address}`)).body.positions[0]!.id;
  const healthFactorOf = async ({ address }: SeededWallet): Promise<number> =>
    (await api.get<PositionList>(`/positions?wallet=${address}`)).body.positions[0]!.healthFactor!;
  const runsOf = async (label: Label): Promise<bigint> =>
    (
      await createPublicClient({ transport: http(platform.rpcUrl), cacheTime: 0 }).readContract({
        address: platform.executors.aaveV3,
        abi: executorAbi,
        functionName: 'stateOf',
        args: [policyIds[LABELS.indexOf(label)]!],
      })
    ).runs;

  /** The wallet's signature of the text in the 403 without a signature. */
  async function signatureOf(wallet: SeededWallet, rule: object): Promise<Hex> {
    const refused = await api.post<{ detail: string }>('/automation/rules', rule);
    expect(refused.status).toBe(409);
    const message = /“(.+)”/.exec(refused.body.detail)![1]!;
    return privateKeyToAccount(wallet.privateKey).signMessage({ message });
  }

  /** A rule that fires below this health factor. */
  async function makeRule(label: Label, conditionValue: number): Promise<string> {
    const wallet = walletOf(label);
    const action = { targetHealthFactor: TARGET, strategy: 'flash_loan_unwind', maxSlippageBps: 60 };
    const rule = {
      name: label,
      conditionType: 'health_factor_below',
      conditionValue,
      positionId: await positionIdOf(wallet),
      actionType: 'deleverage',
      action,
    };
    const walletSignature = await signatureOf(wallet, rule);
    const { status, body } = await api.post<RuleAnswer>('/automation/rules', {
      ...rule,
      action: { ...action, walletSignature },
    });
    expect([status, body.rule.action]).toEqual([201, { ...action, dryRun: false }]);
    return body.rule.id;
  }

  const recordsOf = async (ruleId: string): Promise<AutomationExecution[]> =>
    (await api.get<ExecutionList>(`/automation/executions?ruleId=${ruleId}`)).body.executions;
  const statusOf = async (id: string) =>
    (await api.get<ExecutionStatusAnswer>(`/execution/status?id=${id}`)).body.execution!;
  const record = (ruleId: string, isWanted: (record: AutomationExecution) => boolean) =>
    waitFor(
      async () => {
        const [found] = await recordsOf(ruleId);
        return found && isWanted(found) && found;
      },
      { timeoutMs: 60_000, intervalMs: 100, message: 'the record of the rule' },
    );

  /** Expects one execution on chain, in its record and in the position. */
  async function expectExecuted(label: Label, ruleId: string): Promise<string[]> {
    const { id, result } = await record(ruleId, ({ finishedAt }) => finishedAt !== null);
    const execution = await statusOf(id);
    expect([execution.status, execution.failure, result]).toEqual([
      'completed',
      null,
      expect.stringContaining('The health factor went from'),
    ]);
    expect(execution.ruleId).toBe(ruleId);
    expect(Math.abs(execution.healthFactorAfter! / TARGET - 1)).toBeLessThan(1e-3);
    expect(await recordsOf(ruleId)).toHaveLength(1);
    expect(await runsOf(label)).toBe(1n);
    expect(Math.abs((await healthFactorOf(walletOf(label))) / TARGET - 1)).toBeLessThan(1e-3);
    return execution.steps.map(({ name }) => name);
  }

  it('fires below its health factor, and records the execution until its end', async () => {
    const ruleId = await makeRule('undisturbed', 1.34);
    await fallTo(1.33);
    await expectExecuted('undisturbed', ruleId);
  }, 120_000);

  it('alerts killed while the price falls, and again while the execution is under way', async () => {
    const { alerts } = platform.services;
    const ruleId = await makeRule('alerts killed', 1.29);
    await Promise.all([fallTo(1.28), alerts.kill9()]);
    await alerts.start();
    const { id } = await record(ruleId, () => true);
    await waitFor(async () => (await statusOf(id)).status === 'running', { message: 'it is running' });
    await alerts.kill9();
    await waitFor(async () => (await statusOf(id)).status === 'completed', {
      timeoutMs: 60_000,
      message: 'the execution completes while the alerts service is stopped',
    });
    await alerts.start();
    await expectExecuted('alerts killed', ruleId);
  }, 120_000);

  it('execution is killed when it receives the request, and again when it has sent', async () => {
    const { execution } = platform.services;
    const ruleId = await makeRule('execution killed', 1.24);
    await Promise.all([fallTo(1.23), execution.kill9()]);
    await record(ruleId, ({ status }) => status === 'pending');
    await execution.start();
    await record(ruleId, ({ status }) => status === 'running');
    await execution.kill9();
    await execution.start();
    await expectExecuted('execution killed', ruleId);
  }, 120_000);

  it('the block of the transaction is replaced, and the execution follows it to another block', async () => {
    const ruleId = await makeRule('reorg', 1.19);
    await fallTo(1.18);
    const { id } = await record(ruleId, ({ status }) => status === 'running');
    const included = async () => (await statusOf(id)).includedBlock;
    await waitFor(async () => (await included()) !== null, { message: 'it is in a block' });
    const head = Number(await rpc.request<Hex>('eth_blockNumber', []));
    await rpc.request('anvil_reorg', [head - (await included())! + 1, []]);
    expect(await expectExecuted('reorg', ruleId)).toContain('reorged');
  }, 120_000);

  it('an execution with a revoked policy fails, and the account is alerted', async () => {
    const ruleId = await makeRule('revoked', 1.14);
    const from = walletOf('revoked').address;
    const data = encodeRevokePolicy(policyIds[LABELS.indexOf('revoked')]!);
    await rpc.request('eth_sendTransactionSync', [{ from, to: platform.executors.aaveV3, data }]);
    await fallTo(1.13);
    const { status, result } = await record(ruleId, ({ finishedAt }) => finishedAt !== null);
    expect([status, result]).toEqual(['failed', expect.stringContaining('no policy')]);
    const alert = await waitFor(
      async () =>
        (await api.get<AlertList>('/alerts?status=active')).body.alerts.find(
          ({ type }) => type === 'execution_failed',
        ),
      { message: 'the alert' },
    );
    expect(alert).toMatchObject({
      severity: 'high',
      ruleId,
      positionId: await positionIdOf(walletOf('revoked')),
    });
    const { body } = await receiver.waitForRequest((request) => {
      if (request.headers[WEBHOOK_HEADERS.event] !== 'alert.created') return false;
      const { data: sent } = JSON.parse(request.body.toString()) as WebhookEnvelope<'alert.created'>;
      return sent.message === alert.message;
    }, 60_000);
    const { data: sent } = JSON.parse(body.toString()) as WebhookEnvelope<'alert.created'>;
    expect([sent.alertType, sent.severity, sent.position?.wallet]).toEqual(['danger', 4, from]);
    expect(await runsOf('revoked')).toBe(0n);
  }, 120_000);

  it('the service’s key sent one transaction for each execution', async () => {
    const count = await rpc.request<Hex>('eth_getTransactionCount', [KEEPER_ADDRESS, 'latest']);
    expect(Number(count)).toBe(LABELS.length - 1);
  });
});
