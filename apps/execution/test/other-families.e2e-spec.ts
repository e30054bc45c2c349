import type { RawPosition } from '@plimsoll/chain';
import { type ExecutionAnswer, positionId } from '@plimsoll/contracts';
import type { SeededWallet } from '@plimsoll/devnet';
import { ExecutionHarness } from './execution-harness';
import { type LocalMarket, startMarket } from './local-market';
import { positionsOn } from './read-positions';
import { sendBuilt } from './send-built';

let market: LocalMarket;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket(undefined, { others: true });
  service = await ExecutionHarness.start(market);
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await market?.close();
});

const keyOf = ({ wallet }: RawPosition): SeededWallet =>
  market.wallets.find(({ address }) => address.toLowerCase() === wallet)!;

/** Builds for a position, sends what was built, and gives how far the result is from target and prediction. */
async function carryOut(position: RawPosition, target: number, over: object = {}) {
  const { protocol, chainId, market: name, wallet, subId } = position;
  const id = positionId(position);
  service.upstream.places.set(id, {
    id,
    protocol,
    chainId,
    market: name,
    wallet,
    ...(subId !== '' && { subId }),
  });
  const body = { positionId: id, targetHealthFactor: target, mode: 'build', ...over };
  const answer = await service.call<ExecutionAnswer>('POST', '/v1/execution/deleverage', body);
  if (answer.status !== 202) return answer.body.errors?.[0]?.code;
  const { execution } = answer.body;
  await sendBuilt(market, keyOf(position).privateKey, execution.transactions);
  const after = (await positionsOn(market, protocol)).find((each) => positionId(each) === id);
  const reached = Number(after!.healthFactorRaw) / 1e18;
  expect(Math.abs(reached / target - 1)).toBeLessThan(1e-3);
  expect(Math.abs(reached / execution.predictedHealthFactor! - 1)).toBeLessThan(1e-6);
  return 'done';
}

const healthFactor = ({ healthFactorRaw }: RawPosition): number => Number(healthFactorRaw) / 1e18;

describe.each(['morpho-blue', 'venus'])('%s', (protocol) => {
  it('repay_debt ends at its target and its prediction', async () => {
    const positions = await positionsOn(market, protocol);
    expect(positions.length).toBeGreaterThan(10);
    for (const position of positions.slice(0, 8)) {
      for (const leg of position.legs.filter(({ side }) => side === 'debt'))
        await market.mint(leg.symbol, position.wallet, leg.amountRaw);
      expect(await carryOut(position, Math.round(healthFactor(position) * 1_300) / 1_000)).toBe('done');
    }
  }, 180_000);

  it('sell_collateral does the same, or is refused where the protocol does not let so much out', async () => {
    const positions = await positionsOn(market, protocol);
    const done: unknown[] = [];
    for (const position of positions.filter((each) => healthFactor(each) > 1.2).slice(0, 8)) {
      const over = { strategy: 'sell_collateral', maxSlippageBps: 100 };
      done.push(await carryOut(position, Math.round(healthFactor(position) * 1_100) / 1_000, over));
    }
    expect(done.filter((each) => each === 'done').length).toBeGreaterThan(3);
    expect(done.every((each) => each === 'done' || each === 'simulation_reverted')).toBe(true);
  }, 180_000);
});
