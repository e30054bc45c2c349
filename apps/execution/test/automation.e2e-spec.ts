import {
  type AutomationV1,
  type ExecutionRecord,
  type ExecutionStatusAnswer,
  type ProblemBody,
  newId,
} from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import { outgoing } from '@plimsoll/event-bus';
import {
  type EventCollector,
  type EventPublisher,
  type TestFolder,
  collectEvents,
  startPublisher,
  waitFor,
} from '@plimsoll/testing';
import { parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { plainAuthorisationText } from '../src/submission/wallet-signature';
import { ExecutionHarness } from './execution-harness';
import { KEEPER, keeperSettings } from './keeper';
import { type LocalMarket, ethPlan, startMarket } from './local-market';
import { writePolicy } from './write-policy';

const LABELS = ['runs', 'dry', 'second', 'unknown', 'bare', 'ready', 'late', 'lagging'];
let market: LocalMarket;
let folder: TestFolder;
let service: ExecutionHarness;
let publisher: EventPublisher;
let collector: EventCollector<'execution.v1'>;

beforeAll(async () => {
  market = await startMarket(
    LABELS.map((label) => ethPlan(label, 1.1)),
    { keeper: KEEPER.address },
  );
  const keeper = await keeperSettings();
  folder = keeper.folder;
  service = await ExecutionHarness.start(market, {
    ...keeper.settings,
    CONFIRMATIONS: '1:3',
    FOLLOW_POLL_MS: 50,
  });
  publisher = await startPublisher(service.config.DATABASE_URL, service.kafka);
  collector = await collectEvents(service.kafka, 'execution.v1');
}, 120_000);

afterAll(async () => {
  await collector?.stop();
  await publisher?.stop();
  await service?.close();
  await market?.close();
  await folder?.remove();
});

const walletOf = (label: string): SeededWallet => market.wallets.find(({ plan }) => plan.label === label)!;
const signatureOf = (wallet: SeededWallet) =>
  privateKeyToAccount(wallet.privateKey).signMessage({
    message: plainAuthorisationText(service.accountId, { chainId: 1, wallet: wallet.address }),
  });

/** Returns 200, or the code of the first error and its field. */
async function readiness(wallet: SeededWallet, over: object = {}) {
  const asked = {
    positionId: market.venueOf(wallet.address).id,
    targetHealthFactor: 2,
    strategy: 'flash_loan_unwind',
    ...over,
  };
  const { status, body } = await service.inner<ProblemBody>('/inner/execution/readiness', asked);
  return status === 200 ? 200 : [status, body.errors?.[0]?.code, body.errors?.[0]?.field];
}

const automation = (wallet: SeededWallet, over: Partial<AutomationV1> = {}): AutomationV1 => {
  const { id, ...place } = market.venueOf(wallet.address);
  const nowMs = Date.now();
  return {
    executionId: newId('exec'),
    accountId: service.accountId,
    ruleId: newId('rule'),
    position: { id, ...place },
    targetHealthFactor: 2,
    strategy: 'flash_loan_unwind',
    maxSlippageBps: 60,
    dryRun: false,
    triggeredAt: new Date(nowMs).toISOString(),
    deadline: new Date(nowMs + 600_000).toISOString(),
    ...over,
  };
};
const find = async (id: string): Promise<ExecutionRecord | undefined> =>
  (await service.call<ExecutionStatusAnswer>('GET', `/v1/execution/status?id=${id}`)).body.execution;
const ended = (id: string): Promise<ExecutionRecord> =>
  waitFor(
    async () => {
      await market.mine();
      const execution = await find(id);
      return execution && !['pending', 'running'].includes(execution.status) && execution;
    },
    { timeoutMs: 30_000, intervalMs: 100, message: `${id} comes to its end` },
  );
const publishedOf = (id: string) =>
  collector.events.flatMap(({ value }) => (value?.executionId === id ? value : []));

describe('POST /inner/execution/readiness', () => {
  it('names each missing condition, one after the other, and then responds with 200', async () => {
    const wallet = walletOf('ready');
    const walletSignature = await signatureOf(wallet);
    expect(await readiness(wallet)).toEqual([409, 'not_authorised', 'walletSignature']);
    expect(await readiness(wallet, { walletSignature })).toEqual([409, 'not_authorised', 'mode']);
    await writePolicy(market, wallet, ['flash_loan_unwind'], { triggerHealthFactor: parseEther('1.5') });
    expect(await readiness(wallet)).toBe(200);
    expect(await readiness(wallet, { strategy: 'repay_debt' })).toEqual([409, 'not_authorised', 'mode']);
    expect(await readiness(wallet, { targetHealthFactor: 4 })).toEqual([
      409,
      'executor_refused',
      'targetHealthFactor',
    ]);
    expect(await readiness(wallet, { belowHealthFactor: 1.5 })).toBe(200);
    expect(await readiness(wallet, { belowHealthFactor: 1.6 })).toEqual([
      409,
      'executor_refused',
      'belowHealthFactor',
    ]);
    // A position above its target is allowed, because the rule waits for a fall.
    expect(await readiness(wallet, { targetHealthFactor: 1.05 })).toBe(200);
  });

  it('400 on a chain without execution, 404 for an unknown position', async () => {
    const wallet = walletOf('ready');
    const elsewhere = { ...market.venueOf(wallet.address), chainId: 10 };
    service.upstream.venues.set('elsewhere', elsewhere);
    expect(await readiness(wallet, { positionId: 'elsewhere' })).toEqual([
      400,
      'chain_not_executable',
      'positionId',
    ]);
    expect(await readiness(wallet, { positionId: newId('pos') })).toEqual([404, undefined, undefined]);
  });
});

describe('automation.v1', () => {
  const authorise = async (wallet: SeededWallet) => {
    await writePolicy(market, wallet, ['flash_loan_unwind']);
    expect(await readiness(wallet, { walletSignature: await signatureOf(wallet) })).toBe(200);
  };

  it('is executed once, under its id, however often it arrives', async () => {
    const wallet = walletOf('runs');
    await authorise(wallet);
    const value = automation(wallet);
    const event = outgoing('automation.v1', value);
    await publisher.publish(event, event, outgoing('automation.v1', value));
    const execution = await ended(value.executionId);
    expect(execution).toMatchObject({
      status: 'completed',
      mode: 'submit',
      ruleId: value.ruleId,
      failure: null,
    });
    expect(execution.steps[0]?.name).toBe('accepted');
    expect(Math.abs(execution.healthFactorAfter! / 2 - 1)).toBeLessThan(1e-3);
    expect(Math.abs((await market.healthFactorOf(wallet.address)) / 2 - 1)).toBeLessThan(1e-3);
    await service.pool.query('TRUNCATE inbox');
    await publisher.publish(event, outgoing('automation.v1', automation(walletOf('unknown'))));
    await waitFor(
      async () => {
        const { rows } = await service.pool.query(`SELECT FROM audit WHERE action = 'deleverage.rule'`);
        return rows.length === 2;
      },
      { message: 'the one after it is handled' },
    );
    const { rows } = await service.pool.query('SELECT FROM executions WHERE position_id = $1', [
      value.position.id,
    ]);
    expect(rows).toHaveLength(1);
    await waitFor(() => publishedOf(value.executionId).at(-1)?.status === 'completed', {
      message: 'the result is published',
    });
    const sequences = publishedOf(value.executionId).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  it('a dry run sends nothing', async () => {
    const wallet = walletOf('dry');
    await authorise(wallet);
    const before = await market.healthFactorOf(wallet.address);
    const value = automation(wallet, { dryRun: true });
    await publisher.publish(outgoing('automation.v1', value));
    const execution = await ended(value.executionId);
    expect(execution).toMatchObject({ status: 'completed', dryRun: true, transactionHash: null });
    expect(execution.predictedHealthFactor).toBeCloseTo(2, 3);
    expect(await market.healthFactorOf(wallet.address)).toBeLessThanOrEqual(before);
  });

  it('refuses a second execution of a position while the first is in flight', async () => {
    const wallet = walletOf('second');
    await authorise(wallet);
    await market.rpc.request('evm_setAutomine', [false]);
    try {
      const [first, second] = [automation(wallet), automation(wallet)];
      await publisher.publish(outgoing('automation.v1', first));
      await waitFor(async () => (await find(first.executionId)) !== undefined, { message: 'it is claimed' });
      await publisher.publish(outgoing('automation.v1', second));
      await waitFor(() => publishedOf(second.executionId)[0], { message: 'the second result is published' });
      expect(publishedOf(second.executionId)).toEqual([
        expect.objectContaining({
          status: 'failed',
          failure: expect.objectContaining({ code: 'in_flight' }) as object,
        }),
      ]);
      expect((await ended(first.executionId)).status).toBe('completed');
      expect((await find(second.executionId))?.status).toBe('failed');
    } finally {
      await market.rpc.request('evm_setAutomine', [true]);
    }
  });

  it('fails without the wallet’s signature or a policy, and states the reason', async () => {
    const unknown = automation(walletOf('bare'));
    await publisher.publish(outgoing('automation.v1', unknown));
    const refused = await ended(unknown.executionId);
    expect(refused).toMatchObject({ status: 'failed', failure: { code: 'not_authorised' } });
    expect([refused.block, refused.repays]).toEqual([null, []]);
  });

  it("waits while prices disagree, because the market's may be later than the protocol’s for a moment", async () => {
    const wallet = walletOf('lagging');
    await authorise(wallet);
    const { prices } = service.upstream;
    const weth = prices.get('ETH')!;
    prices.set('ETH', { ...weth, usd: weth.usd * 1.1 });
    const value = automation(wallet);
    await publisher.publish(outgoing('automation.v1', value));
    await waitFor(
      async () => {
        const { rows } = await service.pool.query(
          `SELECT FROM executions WHERE id = $1 AND due_at > created_at + interval '500 ms'`,
          [value.executionId],
        );
        return rows.length === 1;
      },
      { message: 'the event is deferred' },
    );
    prices.set('ETH', weth);
    expect((await ended(value.executionId)).status).toBe('completed');
  });

  it('an execution that arrives after its deadline is cancelled', async () => {
    const deadline = new Date(Date.now() - 1_000).toISOString();
    const late = automation(walletOf('late'), { deadline });
    await publisher.publish(outgoing('automation.v1', late));
    expect(await ended(late.executionId)).toMatchObject({
      status: 'cancelled',
      failure: { code: 'deadline_passed' },
    });
  });
});
