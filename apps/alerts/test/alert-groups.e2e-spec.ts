import { outgoing } from '@plimsoll/event-bus';
import { type EventCollector, collectEvents, samplePosition, sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { wethPosition } from './samples';

let wallets = 9_000;

describe('groups of alerts', () => {
  let harness: AlertsHarness;
  let groups: EventCollector<'alert-group.v1'>;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    groups = await collectEvents(harness.kafka, 'alert-group.v1');
  }, 120_000);
  afterAll(async () => {
    await groups?.stop();
    await harness?.close();
  });

  /** An account with wallets of one block, whose time is now. */
  const scene = async (count: number) => {
    const accountId = newAccount();
    const own = Array.from({ length: count }, () => sampleWallet((wallets += 1)));
    for (const wallet of own) await harness.watch(accountId, wallet);
    return { accountId, own };
  };
  const groupsOf = (accountId: string) =>
    groups.events.flatMap(({ value }) => (value?.accountId === accountId ? [value] : []));

  it('one block that puts several positions in danger causes one notification, even across a restart', async () => {
    const { accountId, own } = await scene(3);
    const before = own.map((wallet) => outgoing('position.v1', wethPosition(wallet, 1, 'low', 3_000)));
    await harness.publisher.publish(...before);
    const block = { block: 500, blockTime: new Date().toISOString() };
    const fallen = own.map((wallet) =>
      wethPosition(wallet, 2, 'critical', 2_500, { healthFactor: 1.03, ...block }),
    );
    await harness.publisher.publish(...fallen.map((position) => outgoing('position.v1', position)));
    await harness.changes(accountId, Array<string>(3).fill('active liquidation_risk'));
    await harness.restart();
    await waitFor(() => groupsOf(accountId).length > 0, { message: 'the group is published' });
    const [group] = groupsOf(accountId);
    expect(group).toMatchObject({
      count: 3,
      truncated: 0,
      cause: { kind: 'block', chainId: 1, block: 500 },
      worstHealthFactor: 1.03,
      usdAtStake: 30_000,
    });
    expect(group?.table.split('\n')).toHaveLength(5);
    const { body } = await harness.list(accountId);
    expect(body.alerts.map(({ groupId }) => groupId)).toEqual(Array(3).fill(group?.groupId));
    expect(body.alerts[0]).toMatchObject({
      chainName: 'Ethereum',
      protocolName: 'Aave V3',
      cause: { kind: 'price', asset: 'WETH', fromUsd: 3_000, toUsd: 2_500 },
      healthFactor: { now: 1.03, threshold: 1.1 },
      remediesReason: null,
    });
    expect(groupsOf(accountId)).toHaveLength(1);
  });

  it('a single alert belongs to no group', async () => {
    const { accountId, own } = await scene(1);
    await harness.publisher.publish(outgoing('position.v1', samplePosition(own[0]!, 1, 'critical')));
    await harness.changes(accountId, ['active liquidation_risk']);
    const closed = 'SELECT 1 FROM alert_groups WHERE account_id = $1 AND closed_at IS NOT NULL';
    await waitFor(async () => (await harness.query(closed, [accountId])).length === 1, {
      message: 'its group is closed',
    });
    expect(groupsOf(accountId)).toEqual([]);
    expect((await harness.list(accountId)).body.alerts[0]).toMatchObject({
      groupId: null,
      remedies: [],
      remediesReason: 'legs_unknown',
    });
  });
});
