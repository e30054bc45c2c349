import {
  type ExecutionAnswer,
  type ExecutionRecord,
  type ExecutionStatusAnswer,
  newId,
} from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import { formatAmount } from '@plimsoll/protocols';
import { waitFor } from '@plimsoll/testing';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { toWad } from '../src/amounts/position';
import { ExecutionHarness } from './execution-harness';
import { type LocalMarket, startMarket } from './local-market';
import { sendBuilt, withPermit } from './send-built';

const PATH = '/v1/execution/deleverage';
let market: LocalMarket;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket();
  service = await ExecutionHarness.start(market, { FOLLOW_POLL_MS: 200 });
}, 120_000);

afterAll(async () => {
  await service?.close();
  await market?.close();
});

const walletOf = (label: string): SeededWallet =>
  market.wallets.find(({ plan }) => plan.label.includes(label))!;

/** Returns the wallet of the first plan with this label, with enough of its debt asset. */
async function fundedWallet(label: string): Promise<SeededWallet> {
  const wallet = walletOf(label);
  for (const { symbol, amount } of wallet.amounts.borrows)
    await market.mint(symbol, wallet.address, amount * 2n);
  return wallet;
}

const bodyOf = (wallet: SeededWallet, over: object = {}) => ({
  positionId: market.venueOf(wallet.address).id,
  targetHealthFactor: 2.5,
  mode: 'build',
  ...over,
});
const post = (body: object, headers: Record<string, string> = {}) =>
  service.call<ExecutionAnswer>('POST', PATH, body, { headers });

async function expectTarget(wallet: Address, target: number, predicted: number | null): Promise<void> {
  const after = await market.healthFactorOf(wallet);
  expect(Math.abs(after / target - 1)).toBeLessThan(1e-3);
  expect(Math.abs(after / predicted! - 1)).toBeLessThan(1e-6);
}

/** Returns the execution when it is no longer pending. */
async function endOf(id: string): Promise<ExecutionRecord> {
  return waitFor(
    async () => {
      const { body } = await service.call<ExecutionStatusAnswer>('GET', `/v1/execution/status?id=${id}`);
      return body.execution!.status !== 'pending' && body.execution!;
    },
    { message: 'the build has ended', timeoutMs: 15_000 },
  );
}

describe('POST /v1/execution/deleverage', () => {
  it('202: the built transactions, sent by a plain wallet, end at the target and at the prediction', async () => {
    const wallet = await fundedWallet('short of WETH');
    const { status, body } = await post(bodyOf(wallet));
    expect(status).toBe(202);
    const { execution } = body;
    expect(execution).toMatchObject({
      status: 'pending',
      mode: 'build',
      strategy: 'repay_debt',
      sells: [],
    });
    const repaid = formatAmount(BigInt(execution.repays[0]!.amountRaw), 18);
    expect(execution.transactions.map(({ description }) => description)).toEqual([
      `Approve ${repaid} WETH for Aave v3 Pool`,
      `Repay ${repaid} WETH to Aave v3 Pool`,
    ]);
    expect(BigInt(execution.predictedHealthFactorRaw!)).toBeGreaterThanOrEqual(toWad(2.5));
    const { gasPriceWei, nativePriceUsd, gasUsd, totalUsd } = execution.fees!;
    expect(gasUsd).toBeCloseTo((execution.costs.gasUnits * Number(gasPriceWei) * nativePriceUsd!) / 1e18, 10);
    expect(totalUsd).toBe(gasUsd);
    await sendBuilt(market, wallet.privateKey, execution.transactions);
    await expectTarget(wallet.address, 2.5, execution.predictedHealthFactor);
    const ended = await endOf(execution.id);
    expect(ended).toMatchObject({ status: 'completed', failure: null });
    expect(ended.healthFactorAfter).toBeGreaterThanOrEqual(2.5);
    expect(ended.steps.map(({ name }) => name)).toEqual(['accepted', 'simulated', 'built', 'completed']);
  });

  it('202: a build that the wallet never sends is cancelled at its deadline, and does not block another', async () => {
    const wallet = await fundedWallet('borrower at 1.32');
    const deadline = new Date(Date.now() + 1_500).toISOString();
    const { execution } = (await post(bodyOf(wallet, { deadline }))).body;
    expect(execution.status).toBe('pending');
    expect((await post(bodyOf(wallet))).status).toBe(202);
    expect(await endOf(execution.id)).toMatchObject({
      status: 'cancelled',
      failure: { code: 'deadline_passed' },
      healthFactorAfter: null,
    });
  });

  it('202: a signed permit replaces the approval', async () => {
    const wallet = await fundedWallet('huge in one asset');
    const { execution } = (await post(bodyOf(wallet))).body;
    expect(execution.permit?.replaces).toEqual([0, 1]);
    const signed = await withPermit(wallet.privateKey, execution.transactions, execution.permit!);
    expect(signed).toHaveLength(1);
    await sendBuilt(market, wallet.privateKey, signed);
    await expectTarget(wallet.address, 2.5, execution.predictedHealthFactor);
  });

  it('202: debt at both kinds of rate', async () => {
    const wallet = await fundedWallet('both kinds of debt');
    const { execution } = (await post(bodyOf(wallet))).body;
    await sendBuilt(market, wallet.privateKey, execution.transactions);
    await expectTarget(wallet.address, 2.5, execution.predictedHealthFactor);
  });

  it('202: collateral is sold, in rounds near the liquidation, and the wallet keeps the rest of a swap', async () => {
    const wallet = walletOf('volatile against volatile');
    const { status, body } = await post(
      bodyOf(wallet, { strategy: 'sell_collateral', targetHealthFactor: 1.8, maxSlippageBps: 100 }),
    );
    expect(status).toBe(202);
    const { execution } = body;
    expect(execution.sells).toMatchObject([{ asset: 'WBTC' }]);
    const withdrawals = execution.transactions.filter(({ description }) =>
      /^Withdraw [\d.,]+ WBTC from Aave v3 Pool$/.test(description),
    );
    expect(withdrawals).toHaveLength(2);
    expect(execution.predictedHealthFactor).toBeGreaterThanOrEqual(1.8);
    expect(execution.costs.feeUsd).toBeGreaterThan(0);
    expect(execution.fees).toMatchObject({ nativeCurrency: 'ETH', swapFeeUsd: execution.costs.feeUsd });
    expect(execution.fees!.totalUsd).toBeCloseTo(execution.fees!.gasUsd! + execution.costs.feeUsd, 10);
    const lost = execution.sells[0]!.usdValue - execution.repays[0]!.usdValue;
    expect(execution.costs.feeUsd + execution.costs.slippageUsd).toBeCloseTo(lost, 4);
    await sendBuilt(market, wallet.privateKey, execution.transactions);
    await expectTarget(wallet.address, 1.8, execution.predictedHealthFactor);
    const left = await market.balanceOf('WBTC', wallet.address);
    expect(left).toBeGreaterThan(0n);
    expect(left).toBeLessThan(BigInt(execution.sells[0]!.amountRaw) / 100n);
  });

  it('202: simulate shows the same and returns nothing to sign', async () => {
    const wallet = await fundedWallet('borrower at 1.5');
    const built = (await post(bodyOf(wallet))).body.execution;
    const simulated = (await post(bodyOf(wallet, { mode: 'simulate' }))).body.execution;
    expect(simulated.transactions).toEqual([]);
    expect(simulated.permit).toBeNull();
    expect(simulated.repays).toEqual(built.repays);
    expect(simulated.predictedHealthFactorRaw).toBe(built.predictedHealthFactorRaw);
  });

  it('the same key and body: the first response; another body: 409', async () => {
    const wallet = await fundedWallet('borrower at 1.4');
    const headers = { 'idempotency-key': newId('req') };
    const first = await post(bodyOf(wallet), headers);
    const again = await post(bodyOf(wallet), headers);
    expect(again.body.execution.id).toBe(first.body.execution.id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await post(bodyOf(wallet, { targetHealthFactor: 3 }), headers);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch']);
  });

  it.each([
    [{ targetHealthFactor: 1 }, 'targetHealthFactor', 'out_of_range'],
    [{ asset: 'WETH' }, 'asset', 'unexpected'],
    [{ deadline: '2020-01-01' }, 'deadline', 'out_of_range'],
    [{ dryRun: true }, 'dryRun', 'unexpected'],
  ])('400 for %j, with the field', async (over, field, code) => {
    const { status, body } = await post(bodyOf(walletOf('borrower at 1.5'), over));
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors).toMatchObject([{ field, code }]);
  });

  it.each([
    [{ strategy: 'flash_loan_unwind' }, 'strategy', 'needs_executor'],
    [{ mode: 'submit' }, 'mode', 'not_available'],
  ])('400 unsupported_execution for %j', async (over, field, code) => {
    const { status, body } = await post(bodyOf(walletOf('borrower at 1.5'), over));
    expect([status, body.code]).toEqual([400, 'unsupported_execution']);
    expect(body.errors).toMatchObject([{ field, code }]);
  });

  it('404 for a position that was never seen', async () => {
    const { status, body } = await post(bodyOf(walletOf('borrower at 1.5'), { positionId: newId('pos') }));
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  const refused = async (body: object): Promise<string> => {
    const response = await post(body);
    expect([response.status, response.body.code]).toEqual([409, 'execution_refused']);
    return response.body.errors![0]!.code;
  };

  it('409 when there is no debt, and when the target is reached', async () => {
    expect(await refused(bodyOf(walletOf('only collateral')))).toBe('no_debt');
    expect(await refused(bodyOf(walletOf('borrower at 30')))).toBe('target_reached');
  });

  it('409 when the wallet holds too little, and only the audit entry is stored', async () => {
    const wallet = walletOf('borrower at 1.9');
    // The wallet transfers the borrowed tokens to another.
    const { symbol } = wallet.amounts.borrows[0]!;
    const all = await market.balanceOf(symbol, wallet.address);
    const abi = parseAbi(['function transfer(address to, uint256 amount)']);
    const args = [market.addresses.operator, all - all / 100n] as const;
    await sendBuilt(market, wallet.privateKey, [
      {
        description: 'give away',
        from: wallet.address,
        to: market.token(symbol),
        data: encodeFunctionData({ abi, functionName: 'transfer', args }),
        value: '0',
        chainId: 1,
        gas: '200000',
      },
    ]);
    const body = bodyOf(wallet);
    expect(await refused(body)).toBe('insufficient_balance');
    const { rows } = await service.pool.query(
      'SELECT outcome, execution_id, asked FROM audit WHERE position_id = $1',
      [body.positionId],
    );
    expect(rows).toEqual([
      {
        outcome: 'insufficient_balance',
        execution_id: null,
        asked: { mode: 'build', targetHealthFactor: 2.5 },
      },
    ]);
  });

  it('409 when the swap would cost more than its limit', async () => {
    const dear = bodyOf(walletOf('volatile against volatile'), {
      strategy: 'sell_collateral',
      targetHealthFactor: 2.2,
      maxSlippageBps: 20,
    });
    expect(await refused(dear)).toBe('slippage_exceeded');
  });

  it('409 when the prices disagree, and when the repaid token has no known price', async () => {
    const wallet = await fundedWallet('borrower at 1.45');
    const known = service.upstream.prices.get('ETH')!;
    const body = bodyOf(wallet, { mode: 'simulate' });
    const owed = wallet.amounts.borrows[0]!.symbol;
    const price = service.upstream.prices.get(owed)!;
    service.upstream.prices.set(owed, { ...price, usd: price.usd * 1.021 });
    expect(await refused(body)).toBe('price_mismatch');
    service.upstream.prices.set(owed, { ...price, usd: price.usd * 1.019 });
    expect((await post(body)).status).toBe(202);
    service.upstream.prices.set(owed, { ...price, isStale: true });
    expect(await refused(body)).toBe('price_unknown');
    service.upstream.prices.set(owed, price);
    service.upstream.prices.set('ETH', known);
  });

  it('409 immediately while the kill switch is set', async () => {
    const wallet = await fundedWallet('borrower at 1.56');
    const off = `INSERT INTO switches VALUES ('1', 'aave-v3', 'an incident')`;
    await service.pool.query(off);
    expect(await refused(bodyOf(wallet))).toBe('switched_off');
    await service.pool.query('DELETE FROM switches');
    expect((await post(bodyOf(wallet))).status).toBe(202);
  });

  it('409 when the protocol does not allow it', async () => {
    const wallet = await fundedWallet('borrower at 1.63');
    const abi = parseAbi(['function setPoolPause(bool paused)']);
    const pause = async (paused: boolean): Promise<void> => {
      const data = encodeFunctionData({ abi, functionName: 'setPoolPause', args: [paused] });
      const { operator: from, poolConfigurator: to } = market.addresses;
      const receipt = await market.rpc.request<{ status: string }>('eth_sendTransactionSync', [
        { from, to, data },
      ]);
      expect(receipt.status).toBe('0x1');
    };
    await pause(true);
    expect(await refused(bodyOf(wallet))).toBe('simulation_reverted');
    await pause(false);
    expect((await post(bodyOf(wallet))).status).toBe(202);
  });

  it('502 while the positions service fails', async () => {
    service.upstream.failure = 500;
    const { status } = await post(bodyOf(walletOf('borrower at 1.5')));
    service.upstream.failure = null;
    expect(status).toBe(502);
  });
});

describe('GET /v1/execution/status', () => {
  it('200 with one execution, and with the list page by page', async () => {
    const wallet = await fundedWallet('borrower at 1.7');
    const { execution } = (await post(bodyOf(wallet))).body;
    await post(bodyOf(wallet, { mode: 'simulate' }));
    const { positionId } = execution;
    const get = (query: string) =>
      service.call<ExecutionStatusAnswer>('GET', `/v1/execution/status?${query}`);
    expect((await get(`id=${execution.id}`)).body).toEqual({ execution });
    const first = await get(`positionId=${positionId}&limit=1`);
    expect(first.body.executions).toMatchObject([{ mode: 'simulate' }]);
    const second = await get(`positionId=${positionId}&limit=1&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({ executions: [execution], count: 1, nextCursor: null });
    expect((await get(`positionId=${positionId}&status=failed`)).body.count).toBe(0);
  });

  it("404 for another account's, and for an unknown one", async () => {
    const wallet = await fundedWallet('borrower at 1.7');
    const { execution } = (await post(bodyOf(wallet))).body;
    const other = { accountId: newId('acc') };
    const path = `/v1/execution/status?id=${execution.id}`;
    expect((await service.call('GET', path, undefined, other)).status).toBe(404);
    expect((await service.call('GET', `/v1/execution/status?id=${newId('exec')}`)).status).toBe(404);
    const { body } = await service.call<ExecutionStatusAnswer>(
      'GET',
      '/v1/execution/status',
      undefined,
      other,
    );
    expect(body.count).toBe(0);
  });

  it('400 for an invalid id', async () => {
    expect((await service.call('GET', '/v1/execution/status?id=nothing')).status).toBe(400);
  });
});

describe('a chain whose node is unavailable', () => {
  it('503 with Retry-After', async () => {
    const chains = [{ chainId: 1, rpcUrl: 'http://127.0.0.1:1' }];
    const away = await ExecutionHarness.start(market, { RPC_URL: { chains, problem: null } });
    try {
      const response = await away.call('POST', PATH, bodyOf(walletOf('borrower at 1.5')));
      expect([response.status, response.body.code]).toEqual([503, 'upstream_unavailable']);
      expect(response.headers.get('retry-after')).toBe('1');
    } finally {
      await away.close();
    }
  });
});

describe('a chain without new blocks', () => {
  it('409 stale_block', async () => {
    const strict = await ExecutionHarness.start(market, { MAX_BLOCK_AGE_SECONDS: 1 });
    try {
      const wallet = walletOf('borrower at 1.5');
      const latest = ['latest', false] as const;
      const { timestamp } = await market.rpc.request<{ timestamp: string }>('eth_getBlockByNumber', latest);
      await waitFor(() => Date.now() / 1_000 - Number(timestamp) > 1.5, { message: 'the block is old' });
      const { status, body } = await strict.call('POST', PATH, bodyOf(wallet));
      expect([status, (body as { errors?: { code: string }[] }).errors?.[0]?.code]).toEqual([
        409,
        'stale_block',
      ]);
    } finally {
      await strict.close();
    }
  });
});
