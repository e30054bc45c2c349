import type { ExecutionAnswer } from '@plimsoll/contracts';
import { type SeededWallet, seededRandom } from '@plimsoll/devnet';
import { ExecutionHarness } from './execution-harness';
import { type LocalMarket, startMarket } from './local-market';
import { randomPlans } from './random-plans';
import { sendBuilt } from './send-built';

const COUNT = 50;
let market: LocalMarket;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket(randomPlans(COUNT, 11));
  service = await ExecutionHarness.start(market);
}, 120_000);

afterAll(async () => {
  await service?.close();
  await market?.close();
});

const build = async (wallet: SeededWallet, over: object) => {
  const { id } = market.venueOf(wallet.address);
  const body = { positionId: id, mode: 'build', ...over };
  return service.call<ExecutionAnswer>('POST', '/v1/execution/deleverage', body);
};

/**
 * Sends the built transactions and returns how far the contract's health factor is from target and
 * prediction.
 */
async function sendAndCompare(
  wallet: SeededWallet,
  response: Awaited<ReturnType<typeof build>>,
  target: number,
) {
  const { execution } = response.body;
  await sendBuilt(market, wallet.privateKey, execution.transactions);
  const after = await market.healthFactorOf(wallet.address);
  return {
    fromTarget: Math.abs(after / target - 1),
    fromPrediction: Math.abs(after / execution.predictedHealthFactor! - 1),
  };
}

describe(`${COUNT} random positions`, () => {
  it('repay_debt: each ends within 0.1 % of its target and a millionth of its prediction', async () => {
    const random = seededRandom(5);
    for (const wallet of market.wallets) {
      const before = await market.healthFactorOf(wallet.address);
      const target = Math.round(1_000 * before * (1.1 + 0.5 * random())) / 1_000;
      for (const { symbol, amount } of wallet.amounts.borrows)
        await market.mint(symbol, wallet.address, amount);
      const response = await build(wallet, { targetHealthFactor: target });
      expect(response.status).toBe(202);
      const { fromTarget, fromPrediction } = await sendAndCompare(wallet, response, target);
      expect(fromTarget).toBeLessThan(1e-3);
      expect(fromPrediction).toBeLessThan(1e-6);
    }
  }, 300_000);

  it('sell_collateral: each that is feasible does the same', async () => {
    let done = 0;
    for (const wallet of market.wallets) {
      const before = await market.healthFactorOf(wallet.address);
      const target = Math.round(1_000 * before * 1.15) / 1_000;
      const response = await build(wallet, {
        targetHealthFactor: target,
        strategy: 'sell_collateral',
        maxSlippageBps: 100,
      });
      if (response.status !== 202) {
        expect(response.body.errors?.[0]?.code).toBe('infeasible');
        continue;
      }
      done += 1;
      const { fromTarget, fromPrediction } = await sendAndCompare(wallet, response, target);
      expect(fromTarget).toBeLessThan(1e-3);
      expect(fromPrediction).toBeLessThan(1e-6);
    }
    expect(done).toBeGreaterThan(40);
  }, 300_000);
});
