import { buildAndSend, healthFactor } from './build-and-send';
import { ExecutionHarness } from './execution-harness';
import { type LocalMarket, startMarket } from './local-market';
import { positionsOn } from './read-positions';

let market: LocalMarket;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket(undefined, { others: true });
  service = await ExecutionHarness.start(market);
}, 120_000);

afterAll(async () => {
  await service?.close();
  await market?.close();
});

describe.each(['morpho-blue', 'venus'])('%s', (protocol) => {
  it('repay_debt ends at its target and its prediction', async () => {
    const positions = await positionsOn(market, protocol);
    expect(positions.length).toBeGreaterThan(10);
    for (const position of positions.slice(0, 8)) {
      for (const leg of position.legs.filter(({ side }) => side === 'debt'))
        await market.mint(leg.symbol, position.wallet, leg.amountRaw);
      expect(
        await buildAndSend({ market, service }, position, Math.round(healthFactor(position) * 1_300) / 1_000),
      ).toBe('done');
    }
  }, 180_000);

  it('sell_collateral does the same, or is refused if the protocol does not permit the withdrawal', async () => {
    const positions = await positionsOn(market, protocol);
    const done: unknown[] = [];
    for (const position of positions.filter((each) => healthFactor(each) > 1.2).slice(0, 8)) {
      const over = { strategy: 'sell_collateral', maxSlippageBps: 100 };
      done.push(
        await buildAndSend(
          { market, service },
          position,
          Math.round(healthFactor(position) * 1_100) / 1_000,
          over,
        ),
      );
    }
    expect(done.filter((each) => each === 'done').length).toBeGreaterThan(3);
    expect(done.every((each) => each === 'done' || each === 'simulation_reverted')).toBe(true);
  }, 180_000);
});
