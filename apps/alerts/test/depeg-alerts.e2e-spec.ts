import type { PriceV1 } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { samplePrice, stablePair, wethPosition } from './samples';

jest.setTimeout(60_000);

const OPENED = 'active health_factor_warning';
const RESOLVED = 'resolved health_factor_warning';

describe('alerts about a depeg', () => {
  let harness: AlertsHarness;
  let wallets = 0;
  let atMs = Date.now() - 600_000;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const price = (asset: string, usd: number, over: Partial<PriceV1> = {}): PriceV1 =>
    samplePrice(asset, usd, (atMs += 1_000), { heartbeatMs: 3_600_000, ...over });
  const published = async (...prices: PriceV1[]): Promise<void> => {
    for (const each of prices) {
      await harness.publisher.publish(outgoing('price.v1', each));
      await harness.priced(each);
    }
  };
  /** Excludes `oracle_stale`, which a stale price opens too. */
  const dangers = (accountId: string): string[] =>
    harness.published(accountId).filter((each) => !each.endsWith('oracle_stale'));
  const dangerChanges = async (accountId: string, expected: readonly string[]): Promise<void> => {
    await waitFor(() => dangers(accountId).length >= expected.length, {
      message: `${expected.length} danger alert events`,
    });
    expect(dangers(accountId)).toEqual(expected);
  };
  /** An account that watches a USDC/DAI pair at a health factor of 1.010, both coins at par. */
  const scene = async () => {
    await published(price('USDC', 1), price('DAI', 1));
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    await harness.watch(accountId, wallet);
    const pair = stablePair(wallet, 1);
    await harness.publisher.publish(outgoing('position.v1', pair));
    await harness.handled(pair.id, 1);
    return { accountId, wallet, positionId: pair.id };
  };

  it('opens, gets worse and resolves by price.v1 alone, over a restart', async () => {
    const { accountId, positionId } = await scene();
    await published(price('USDC', 0.9955));
    expect(harness.published(accountId)).toEqual([]);
    await published(price('USDC', 0.995));
    await harness.changes(accountId, [OPENED]);
    const { body } = await harness.list(accountId);
    expect(body.alerts[0]).toMatchObject({
      severity: 'high',
      positionId,
      level: 'high',
      healthFactor: { now: 1.01, threshold: null },
      cause: { kind: 'depeg', asset: 'USDC', toUsd: 0.995 },
    });
    await published(price('USDC', 0.99));
    await harness.changesBetween(accountId, ['escalated critical']);
    await harness.restart();
    // Below the edge of critical, above 80 % of it: the alert stores the condition that keeps it open.
    await published(price('USDC', 0.9915));
    await published(price('USDC', 0.9958));
    await harness.changesBetween(accountId, ['escalated critical', 'updated high']);
    expect(harness.published(accountId)).toEqual([OPENED]);
    await published(price('USDC', 1));
    await harness.changes(accountId, [OPENED, RESOLVED]);
  });

  it('resolves when the market price is stale or missing, and never opens by such a price', async () => {
    const stale = await scene();
    await published(price('USDC', 0.995));
    await dangerChanges(stale.accountId, [OPENED]);
    await published(price('USDC', 0.995, { isStale: true }));
    await dangerChanges(stale.accountId, [OPENED, RESOLVED]);
    const last = harness.alerts.events.find(
      ({ value }) => value?.accountId === stale.accountId && `${value.status} ${value.type}` === RESOLVED,
    );
    expect(last?.value?.title).toMatch(/^Depeg no longer measurable/);
    await published(price('USDC', 0.9, { isStale: true }));
    expect(dangers(stale.accountId)).toEqual([OPENED, RESOLVED]);
    // The heartbeat is long over: the silence of DAI is found without any event.
    const silent = await scene();
    await published(price('USDC', 0.995));
    await dangerChanges(silent.accountId, [OPENED]);
    await published(price('DAI', 1, { heartbeatMs: 1 }));
    await dangerChanges(silent.accountId, [OPENED, RESOLVED]);
  });

  it('opens when the position changes while its coin is off its peg', async () => {
    await published(price('USDC', 0.99), price('DAI', 1));
    const wallet = sampleWallet((wallets += 1));
    const accountId = newAccount();
    await harness.watch(accountId, wallet);
    await harness.publisher.publish(outgoing('position.v1', stablePair(wallet, 1)));
    await harness.changes(accountId, ['active liquidation_risk']);
    await harness.publisher.publish(outgoing('position.v1', stablePair(wallet, 2, { usdc: 14_000 })));
    await harness.changes(accountId, ['active liquidation_risk', 'resolved liquidation_risk']);
  });

  it('evaluates only correlated positions with the moved asset, 200 immediately and the others after them', async () => {
    const volatile = sampleWallet((wallets += 1));
    const bystander = newAccount();
    await harness.watch(bystander, volatile);
    const weth = wethPosition(volatile, 1, 'low', 2_000);
    await harness.publisher.publish(outgoing('position.v1', weth));
    await harness.handled(weth.id, 1);
    const { accountId, wallet } = await scene();
    // Copies of the position under other wallets of the account.
    await harness.query(
      `INSERT INTO watches SELECT 'copy-' || n, account_id, watching, changed_at
       FROM watches, generate_series(1, 250) AS n WHERE wallet = $1`,
      [wallet],
    );
    const columns = await harness.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = 'alerts' AND table_name = 'positions' AND column_name NOT IN ('id', 'wallet')`,
    );
    const names = columns.map(({ name }) => name).join(', ');
    await harness.query(
      `INSERT INTO positions (id, wallet, ${names})
       SELECT 'pos_' || lpad(n::text, 22, '0'), '0x' || lpad(to_hex(n + 10000), 40, '0'), ${names}
       FROM positions, generate_series(1, 250) AS n WHERE wallet = $1`,
      [wallet],
    );
    await harness.query(
      `UPDATE watches SET wallet = '0x' || lpad(to_hex(substr(wallet, 6)::int + 10000), 40, '0')
       WHERE wallet LIKE 'copy-%'`,
    );
    const before = await harness.query('SELECT xmax::text FROM positions WHERE id = $1', [weth.id]);
    await published(price('USDC', 0.995));
    await waitFor(() => harness.published(accountId).length === 251, {
      message: 'an alert about each of 251 positions',
    });
    expect(new Set(harness.published(accountId))).toEqual(new Set([OPENED]));
    expect(await harness.query('SELECT xmax::text FROM positions WHERE id = $1', [weth.id])).toEqual(before);
    expect(harness.published(bystander)).toEqual([]);
    await published(price('USDC', 1));
    await waitFor(() => harness.published(accountId).length === 502, { message: 'each is resolved' });
  });
});
