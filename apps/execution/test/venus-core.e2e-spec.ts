import type { SeedPlan } from '@plimsoll/devnet';
import type { TestFolder } from '@plimsoll/testing';
import { buildAndSend, healthFactor } from './build-and-send';
import { type CorePool, openCorePool } from './core-pool';
import { ExecutionHarness } from './execution-harness';
import { allow, onCompoundLike, submitUnderPolicy } from './family-policy';
import { KEEPER, keeperSettings } from './keeper';
import { type LocalMarket, startMarket } from './local-market';
import { positionsOn } from './read-positions';

const HEALTH_FACTORS = [1.1, 1.2, 1.35, 1.6, 2];
const plan = (healthFactor: number): SeedPlan => ({
  label: `core ${healthFactor}`,
  suppliedUsd: 1_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [],
  healthFactor,
  eMode: false,
});

describe('the core pool of Venus, as Venus published its bytecode', () => {
  let market: LocalMarket;
  let pool: CorePool;
  let folder: TestFolder;
  let service: ExecutionHarness;

  beforeAll(async () => {
    const plans = [...HEALTH_FACTORS, ...HEALTH_FACTORS, ...HEALTH_FACTORS].map(plan);
    market = await startMarket(plans, { keeper: KEEPER.address });
    pool = await openCorePool(market, KEEPER.address, HEALTH_FACTORS);
    const keeper = await keeperSettings();
    folder = keeper.folder;
    const settings = { CONFIRMATIONS: '1:2', FOLLOW_POLL_MS: 50 };
    service = await ExecutionHarness.start(market, { ...keeper.settings, ...settings });
  }, 240_000);

  afterAll(async () => {
    await service?.close();
    await market?.close();
    await folder?.remove();
  });

  /** Five positions that no other group uses. */
  const positions = async (group: number) => {
    const all = (await positionsOn(market, 'venus')).toSorted((a, b) => (a.wallet < b.wallet ? -1 : 1));
    const found = all.slice(group * HEALTH_FACTORS.length, (group + 1) * HEALTH_FACTORS.length);
    expect(found).toHaveLength(HEALTH_FACTORS.length);
    return found;
  };
  const raised = (position: Parameters<typeof healthFactor>[0], percent: number): number =>
    Math.round(healthFactor(position) * 10 * percent) / 1_000;

  it('repay_debt that is built and sent ends at its target and its prediction', async () => {
    for (const position of await positions(0)) {
      const debt = position.legs.find(({ side }) => side === 'debt')!;
      await market.mint(debt.symbol, position.wallet, debt.amountRaw);
      expect(await buildAndSend({ market, service }, position, raised(position, 130))).toBe('done');
    }
  }, 120_000);

  it('sell_collateral does the same, or is refused if the pool does not permit the withdrawal', async () => {
    const done: unknown[] = [];
    for (const position of (await positions(1)).filter((each) => healthFactor(each) > 1.15)) {
      const over = { strategy: 'sell_collateral', maxSlippageBps: 100 };
      done.push(await buildAndSend({ market, service }, position, raised(position, 110), over));
    }
    expect(done.filter((each) => each === 'done').length).toBeGreaterThan(1);
    expect(done.every((each) => each === 'done' || each === 'simulation_reverted')).toBe(true);
  }, 120_000);

  it('flash_loan_unwind that is submitted runs to its end, at its target', async () => {
    const { comptroller, executors } = pool;
    const scene = { market, service };
    for (const position of await positions(2)) {
      const allowed = await onCompoundLike(market, position, comptroller, executors.compoundV2!);
      await allow(scene, position, { ...allowed, swapPort: executors.swapPort });
      await submitUnderPolicy(scene, position, raised(position, 130));
    }
  }, 120_000);
});
