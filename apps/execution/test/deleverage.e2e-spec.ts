import type { ExecutionAnswer, ExecutionStatusAnswer } from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import { ExecutionHarness } from './execution-harness';
import { type LocalMarket, startMarket } from './local-market';
import { sendBuilt, withPermit } from './send-built';

const PATH = '/v1/execution/deleverage';
let market: LocalMarket;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket();
  service = await ExecutionHarness.start(market);
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await market?.close();
});

/** The wallet of the first plan whose label says so, with plenty of what it owes. */
async function walletLike(label: string): Promise<SeededWallet> {
  const wallet = market.wallets.find(({ plan }) => plan.label.includes(label))!;
  for (const { symbol, amount } of wallet.amounts.borrows)
    await market.mint(symbol, wallet.address, amount * 2n);
  return wallet;
}

const bodyOf = (wallet: SeededWallet, over: object = {}) => ({
  positionId: market.placeOf(wallet.address).id,
  targetHealthFactor: 2.5,
  mode: 'build',
  ...over,
});
const post = (body: object, headers: Record<string, string> = {}) =>
  service.call<ExecutionAnswer>('POST', PATH, body, { headers });

describe('POST /v1/execution/deleverage', () => {
  it('202: what is built, sent by a plain wallet, ends at the target and at the prediction', async () => {
    const wallet = await walletLike('short of WETH');
    const { status, body } = await post(bodyOf(wallet));
    expect(status).toBe(202);
    const { execution } = body;
    expect(execution).toMatchObject({
      status: 'completed',
      mode: 'build',
      strategy: 'repay_debt',
      sells: [],
    });
    expect(execution.transactions.map(({ description }) => description)).toEqual([
      'Allow so much WETH',
      'Repay WETH',
    ]);
    await sendBuilt(market, wallet.privateKey, execution.transactions);
    const after = await market.healthFactorOf(wallet.address);
    expect(Math.abs(after / 2.5 - 1)).toBeLessThan(1e-3);
    expect(Math.abs(after / execution.predictedHealthFactor! - 1)).toBeLessThan(1e-6);
  });
});

describe('GET /v1/execution/status', () => {
  it('200: the one, and the list', async () => {
    const list = await service.call<ExecutionStatusAnswer>('GET', '/v1/execution/status');
    expect(list.body.count).toBe(1);
    const { id } = list.body.executions![0]!;
    const one = await service.call<ExecutionStatusAnswer>('GET', `/v1/execution/status?id=${id}`);
    expect(one.body.execution?.steps.map(({ name }) => name)).toEqual([
      'accepted',
      'simulated',
      'built',
      'completed',
    ]);
  });
});

export { withPermit };
