import {
  type ExecutionAnswer,
  type ExecutionRecord,
  type ExecutionStatusAnswer,
  newId,
} from '@plimsoll/contracts';
import type { SeedPlan, SeededWallet } from '@plimsoll/devnet';
import { type Strategy, encodeSetPolicy, executorAbi } from '@plimsoll/executor';
import { type EventCollector, type TestFolder, collectEvents, waitFor } from '@plimsoll/testing';
import { type Hex, createPublicClient, http, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { plainAuthorisationText } from '../src/submission/wallet-signature';
import { ExecutionHarness } from './execution-harness';
import { KEEPER, keeperSettings } from './keeper';
import { startKillingNode } from './killing-node';
import { type LocalMarket, ethPlan, startMarket } from './local-market';
import { policyOf, writePolicy } from './write-policy';

const LABELS = [
  'flash',
  'repay',
  'sell',
  'dry',
  'foreign',
  'refused',
  'twice',
  'stuck',
  'reorg',
  'switched',
  'late',
  'reverted',
  'slow',
];
// A sale without a flash loan must be possible in between.
const planOf = (label: string): SeedPlan => ethPlan(label, label === 'sell' ? 1.8 : 1.1);
const PATH = '/v1/execution/deleverage';
const settings = { CONFIRMATIONS: '1:3', STUCK_MS: 1_500, FOLLOW_POLL_MS: 50 };
let market: LocalMarket;
let folder: TestFolder;
let service: ExecutionHarness;
let collector: EventCollector<'execution.v1'>;

beforeAll(async () => {
  market = await startMarket(LABELS.map(planOf), { keeper: KEEPER.address });
  const keeper = await keeperSettings();
  folder = keeper.folder;
  service = await ExecutionHarness.start(market, { ...settings, ...keeper.settings });
  collector = await collectEvents(service.kafka, 'execution.v1');
}, 120_000);

afterAll(async () => {
  await collector?.stop();
  await service?.close();
  await market?.close();
  await folder?.remove();
});

afterEach(() => market.rpc.request('evm_setAutomine', [true]));

const walletOf = (label: string): SeededWallet => market.wallets.find(({ plan }) => plan.label === label)!;
const sign = (wallet: SeededWallet, on = service): Promise<Hex> => {
  const text = plainAuthorisationText(on.accountId, { chainId: 1, wallet: wallet.address });
  return privateKeyToAccount(wallet.privateKey).signMessage({ message: text });
};
const submit = async (wallet: SeededWallet, over: object = {}, on = service) =>
  on.call<ExecutionAnswer>('POST', PATH, {
    positionId: market.venueOf(wallet.address).id,
    targetHealthFactor: 2,
    mode: 'submit',
    strategy: 'flash_loan_unwind',
    maxSlippageBps: 60,
    walletSignature: await sign(wallet, on),
    ...over,
  });
const statusOf = async (id: string, on = service): Promise<ExecutionRecord> =>
  (await on.call<ExecutionStatusAnswer>('GET', `/v1/execution/status?id=${id}`)).body.execution!;
const stepsOf = ({ steps }: ExecutionRecord): string[] => steps.map(({ name }) => name);

/** Mines blocks until the execution has ended. */
async function ended(id: string, on = service): Promise<ExecutionRecord> {
  return waitFor(
    async () => {
      await market.mine();
      const execution = await statusOf(id, on);
      return ['completed', 'failed', 'cancelled'].includes(execution.status) && execution;
    },
    { timeoutMs: 30_000, intervalMs: 100, message: `${id} comes to its end` },
  );
}
const reaches = (id: string, step: string) =>
  waitFor(async () => stepsOf(await statusOf(id)).includes(step), {
    timeoutMs: 30_000,
    message: `${id} is ${step}`,
  });
const runsOf = async (policyId: Hex): Promise<bigint> =>
  (
    await createPublicClient({ transport: http(market.node.url), cacheTime: 0 }).readContract({
      address: market.executor!.aaveV3,
      abi: executorAbi,
      functionName: 'stateOf',
      args: [policyId],
    })
  ).runs;
const pending = (transaction: Hex) =>
  market.rpc.request<object | null>('eth_getTransactionByHash', [transaction]);

describe('mode submit', () => {
  it.each<[Strategy, string]>([
    ['flash_loan_unwind', 'flash'],
    ['repay_debt', 'repay'],
    ['sell_collateral', 'sell'],
  ])('%s: runs to its end, at the target and the prediction', async (strategy, label) => {
    const wallet = walletOf(label);
    for (const { symbol, amount } of wallet.amounts.borrows)
      await market.mint(symbol, wallet.address, amount);
    const policyId = await writePolicy(market, wallet, [strategy]);
    const { status, body } = await submit(wallet, {
      strategy,
      ...(strategy === 'repay_debt' && { maxSlippageBps: undefined }),
    });
    expect(body).toMatchObject({ execution: { status: 'pending', transactions: [], transactionHash: null } });
    expect(status).toBe(202);
    const { id } = body.execution;
    const execution = await ended(id);
    expect(execution).toMatchObject({ status: 'completed', failure: null });
    expect(execution.confirmations).toBeGreaterThanOrEqual(3);
    expect(stepsOf(execution)).toEqual([
      'accepted',
      'simulated',
      'simulated',
      'signed',
      'sent',
      'included',
      'confirmed',
      'completed',
    ]);
    const after = await market.healthFactorOf(wallet.address);
    expect(Math.abs(after / 2 - 1)).toBeLessThan(1e-3);
    expect(Math.abs(execution.healthFactorAfter! / 2 - 1)).toBeLessThan(1e-3);
    expect(Math.abs(execution.healthFactorAfter! / execution.predictedHealthFactor! - 1)).toBeLessThan(1e-6);
    expect(await runsOf(policyId)).toBe(1n);
    const published = () =>
      collector.events.map(({ value }) => value!).filter((each) => each.executionId === id);
    await waitFor(() => published().at(-1)?.status === 'completed', { message: 'the result is published' });
    expect(published().map(({ sequence }) => sequence)).toEqual(published().map((_, index) => index + 1));
    expect(published().at(-1)).toMatchObject({
      accountId: service.accountId,
      status: 'completed',
      transactionHash: execution.transactionHash,
      block: execution.includedBlock,
      failure: null,
    });
  });

  it('409 without the wallet’s signature or with another wallet’s; one signature is enough', async () => {
    const wallet = walletOf('dry');
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    const reasonOf = async (over: object) => (await submit(wallet, over)).body.errors?.[0];
    expect(await reasonOf({ walletSignature: undefined })).toMatchObject({
      field: 'walletSignature',
      code: 'not_authorised',
    });
    const foreign = await sign(walletOf('foreign'));
    expect(await reasonOf({ walletSignature: foreign })).toMatchObject({ code: 'not_authorised' });
    const first = await submit(wallet, { dryRun: true });
    expect(first.status).toBe(202);
    const dry = await ended(first.body.execution.id);
    expect(dry).toMatchObject({ status: 'completed', dryRun: true, transactionHash: null });
    expect((await submit(wallet, { walletSignature: undefined, dryRun: true })).status).toBe(202);
    const { rows } = await service.pool.query('SELECT FROM transactions WHERE execution_id = $1', [dry.id]);
    expect(rows).toHaveLength(0);
  });

  it('409 without a policy on chain, and when the executor refuses', async () => {
    const wallet = walletOf('refused');
    const reason = async () => (await submit(wallet)).body.errors?.[0]?.code;
    expect(await reason()).toBe('not_authorised');
    await writePolicy(market, wallet, ['flash_loan_unwind'], { triggerHealthFactor: 10n ** 18n + 1n });
    const refused = await submit(wallet);
    expect(refused.body.errors).toMatchObject([{ code: 'executor_refused' }]);
    expect(refused.body.detail).toContain('HealthFactorAboveTrigger');
  });

  it('409 while another execution of the position is in flight', async () => {
    const wallet = walletOf('twice');
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    await market.rpc.request('evm_setAutomine', [false]);
    const [one, two] = await Promise.all([submit(wallet), submit(wallet)]);
    expect([one.status, two.status].sort()).toEqual([202, 409]);
    const [taken, refused] = one.status === 202 ? [one, two] : [two, one];
    expect(refused.body.code).toBe('conflict');
    expect((await ended(taken.body.execution.id)).status).toBe('completed');
  });

  it('sends a stuck transaction again with a higher fee, and one of the two is confirmed', async () => {
    const wallet = walletOf('stuck');
    const policyId = await writePolicy(market, wallet, ['flash_loan_unwind']);
    await market.rpc.request('evm_setAutomine', [false]);
    const { id } = (await submit(wallet)).body.execution;
    await reaches(id, 'replaced');
    await waitFor(async () => (await statusOf(id)).steps.filter(({ name }) => name === 'sent').length >= 2, {
      message: 'the second one is sent',
    });
    const execution = await ended(id);
    expect(execution.status).toBe('completed');
    const { rows } = await service.pool.query<{ nonce: string; max_fee: string; priority_fee: string }>(
      'SELECT nonce, max_fee, priority_fee FROM transactions WHERE execution_id = $1 ORDER BY attempt',
      [id],
    );
    expect(new Set(rows.map(({ nonce }) => nonce)).size).toBe(1);
    expect(Number(rows[1]!.max_fee)).toBeGreaterThan(Number(rows[0]!.max_fee) * 1.125);
    expect(Number(rows[1]!.priority_fee)).toBeGreaterThan(Number(rows[0]!.priority_fee) * 1.125);
    expect(await runsOf(policyId)).toBe(1n);
  });

  it('finds and follows a transaction to its next block when its block is replaced', async () => {
    const wallet = walletOf('reorg');
    const policyId = await writePolicy(market, wallet, ['flash_loan_unwind']);
    const { id } = (await submit(wallet)).body.execution;
    await reaches(id, 'included');
    const before = await statusOf(id);
    await market.rpc.request('anvil_reorg', [1, []]);
    expect(await pending(before.transactionHash as Hex)).toBeNull();
    expect(await runsOf(policyId)).toBe(0n);
    await reaches(id, 'reorged');
    const execution = await ended(id);
    expect(execution.status).toBe('completed');
    expect(stepsOf(execution).filter((name) => name === 'included')).toHaveLength(2);
    expect(await runsOf(policyId)).toBe(1n);
  });

  it('is signed although its preparation takes longer than its lease', async () => {
    const wallet = walletOf('slow');
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    const { config } = service;
    const slow = await ExecutionHarness.start(market, {
      ...settings,
      KEYSTORE_FILE: config.KEYSTORE_FILE,
      KEYSTORE_PASSWORD: config.KEYSTORE_PASSWORD,
      LEASE_MS: 500,
    });
    try {
      const { id } = (await submit(wallet, {}, slow)).body.execution;
      slow.upstream.delayMs = 800;
      expect(await ended(id, slow)).toMatchObject({ status: 'completed', failure: null });
    } finally {
      await slow.close();
    }
  });

  it('sends only a transaction that frees the nonce if the kill switch is set before any node has the first one', async () => {
    const wallet = walletOf('switched');
    const policyId = await writePolicy(market, wallet, ['flash_loan_unwind']);
    const node = await startKillingNode(market.node.url);
    const chains = [{ chainId: 1, rpcUrl: node.url }];
    const { config } = service;
    const other = await ExecutionHarness.start(market, {
      ...settings,
      KEYSTORE_FILE: config.KEYSTORE_FILE,
      KEYSTORE_PASSWORD: config.KEYSTORE_PASSWORD,
      RPC_URL: { chains, problem: null },
      RPC_TIMEOUT_MS: 300,
    });
    try {
      let isReached = false;
      node.arm({ method: 'eth_sendRawTransaction', nth: 1, when: 'before' }, () => (isReached = true));
      const { id } = (await submit(wallet, {}, other)).body.execution;
      await waitFor(() => isReached, { message: 'it is about to be sent' });
      await other.pool.query(`INSERT INTO switches VALUES ('1', '*', 'an incident')`);
      await waitFor(
        async () => {
          const { rows } = await other.pool.query(
            `SELECT FROM executions WHERE id = $1 AND status = 'running' AND lease IS NULL`,
            [id],
          );
          return rows.length === 1;
        },
        { message: 'the process deferred it' },
      );
      node.disarm();
      const execution = await ended(id, other);
      expect(execution).toMatchObject({ status: 'cancelled', failure: { code: 'switched_off' } });
      expect(await runsOf(policyId)).toBe(0n);
    } finally {
      await other.close();
      await node.close();
    }
  });

  it('replaces a transaction that is in no block by its deadline by an empty one', async () => {
    const wallet = walletOf('late');
    const policyId = await writePolicy(market, wallet, ['flash_loan_unwind']);
    await market.rpc.request('evm_setAutomine', [false]);
    const deadline = new Date(Date.now() + 4_000).toISOString();
    const { id } = (await submit(wallet, { deadline })).body.execution;
    await waitFor(
      async () => {
        const { rows } = await service.pool.query(
          `SELECT FROM transactions WHERE execution_id = $1 AND kind = 'cancel' AND sent_at IS NOT NULL`,
          [id],
        );
        return rows.length > 0;
      },
      { message: 'an empty transaction replaces it' },
    );
    const execution = await ended(id);
    expect(execution).toMatchObject({ status: 'cancelled', failure: { code: 'deadline_passed' } });
    expect(await runsOf(policyId)).toBe(0n);
  });

  it('fails without moving tokens when the executor rejects it in its block', async () => {
    const wallet = walletOf('reverted');
    const policyId = await writePolicy(market, wallet, ['flash_loan_unwind']);
    await market.rpc.request('evm_setAutomine', [false]);
    const { id } = (await submit(wallet)).body.execution;
    await reaches(id, 'sent');
    // A new version of the policy is mined before it in the same block, so its hash differs.
    await market.rpc.request('anvil_impersonateAccount', [wallet.address]);
    await market.rpc.request('eth_sendTransaction', [
      {
        from: wallet.address,
        to: market.executor!.aaveV3,
        data: encodeSetPolicy(policyOf(market, wallet, ['flash_loan_unwind'], { maxFeeBps: 19 })),
        gas: numberToHex(1_000_000),
        maxFeePerGas: numberToHex(10n ** 12n),
        maxPriorityFeePerGas: numberToHex(10n ** 11n),
      },
    ]);
    const execution = await ended(id);
    expect(execution).toMatchObject({ status: 'failed', failure: { code: 'reverted' } });
    expect(await runsOf(policyId)).toBe(0n);
  });

  it('404 for another account', async () => {
    const wallet = walletOf('dry');
    const { id } = (await submit(wallet, { dryRun: true })).body.execution;
    const response = await service.call('GET', `/v1/execution/status?id=${id}`, undefined, {
      accountId: newId('acc'),
    });
    expect(response.status).toBe(404);
  });
});
