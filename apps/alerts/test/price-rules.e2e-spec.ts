import type { CreateRuleBody, RuleAnswer } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { samplePrice, sampleRule, wethPosition } from './samples';
import { positionDetail } from './test-upstream';

jest.setTimeout(60_000);

const ONCE = ['active rule_triggered', 'resolved rule_triggered'];

describe('rules on prices', () => {
  let harness: AlertsHarness;
  let wallets = 0;
  let atMs = Date.now();

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  /** Prices of ETH a second apart, later than all before. */
  const prices = (...usd: number[]) =>
    usd.map((each) => samplePrice('ETH', each, (atMs += 1_000), { heartbeatMs: 3_600_000 }));
  const published = async (...events: ReturnType<typeof samplePrice>[]): Promise<void> => {
    await harness.publisher.publish(...events.map((event) => outgoing('price.v1', event)));
    await harness.priced(events.at(-1)!);
  };
  /** A rule on WETH below 1,800 on a position that an event has named. */
  const scene = async (over: Partial<CreateRuleBody> = {}) => {
    const wallet = sampleWallet((wallets += 1));
    const first = wethPosition(wallet, 1, 'low', 2_000);
    await harness.publisher.publish(outgoing('position.v1', first));
    await harness.handled(first.id, 1);
    harness.upstream.positions.set(first.id, positionDetail(first));
    const accountId = newAccount();
    const condition = { conditionType: 'price_below' as const, conditionValue: 1_800, asset: 'eth', ...over };
    const url = '/v1/automation/rules';
    const { body } = await harness.call<RuleAnswer>('POST', url, accountId, sampleRule(first.id, condition));
    return { accountId, wallet, positionId: first.id, rule: body.rule };
  };

  it('fires by the market price of ETH for a position of WETH without any event of it, and clears by the margin', async () => {
    await published(...prices(2_000));
    const { accountId, rule } = await scene();
    expect(rule.asset).toBe('WETH');
    await published(...prices(1_801, 1_799));
    await harness.changes(accountId, ONCE.slice(0, 1));
    const alert = harness.alerts.events.find(({ value }) => value?.accountId === accountId);
    expect(alert?.value).toMatchObject({
      severity: 'medium',
      title: 'Guard: price of WETH $1,799.00 is below $1,800.00',
    });
    await published(...prices(1_810));
    await published(...prices(1_819));
    await harness.changes(accountId, ONCE);
  });

  it('reports a crossing between two prices of one batch', async () => {
    await published(...prices(2_000));
    const { accountId } = await scene();
    await published(...prices(1_790, 1_900));
    await harness.changes(accountId, ONCE);
  });

  it('ignores known and older prices', async () => {
    await published(...prices(2_000));
    const { accountId } = await scene();
    const [low, back] = prices(1_700, 1_705);
    await published(low!);
    await harness.changes(accountId, ONCE.slice(0, 1));
    const older = samplePrice('ETH', 2_000, Date.parse(low!.publishedAt) - 500);
    await harness.publisher.publish(outgoing('price.v1', older), outgoing('price.v1', low!));
    await harness.query('TRUNCATE inbox');
    await harness.publisher.publish(outgoing('price.v1', older), outgoing('price.v1', low!));
    await published(back!);
    expect(harness.published(accountId)).toEqual(ONCE.slice(0, 1));
  });

  it('neither fires nor clears with a stale price, and is evaluated again by the next fresh one', async () => {
    await published(...prices(2_000));
    const { accountId, positionId, wallet } = await scene();
    const [stale] = prices(1_500);
    await published({ ...stale!, isStale: true });
    await harness.publisher.publish(outgoing('position.v1', wethPosition(wallet, 2, 'low', 1_000)));
    await harness.handled(positionId, 2);
    // The condition is met all the time, but the rule was created while no fresh price was known.
    const far = await scene({ conditionValue: 5_000 });
    expect([harness.published(accountId), harness.published(far.accountId)]).toEqual([[], []]);
    await published(...prices(1_990));
    await harness.changes(far.accountId, ONCE.slice(0, 1));
    expect(harness.published(accountId)).toEqual([]);
    await published(...prices(1_700));
    await harness.changes(accountId, ONCE.slice(0, 1));
    const [later] = prices(3_000);
    await published({ ...later!, isStale: true });
    expect(harness.published(accountId)).toEqual(ONCE.slice(0, 1));
  });

  it('uses the market price, not the oracle of the protocol, when its position changes', async () => {
    await published(...prices(2_000));
    const { accountId, positionId, wallet } = await scene();
    await harness.publisher.publish(outgoing('position.v1', wethPosition(wallet, 2, 'low', 1_000)));
    await harness.handled(positionId, 2);
    expect(harness.published(accountId)).toEqual([]);
    await published(...prices(1_700));
    await harness.changes(accountId, ONCE.slice(0, 1));
    const closed = wethPosition(wallet, 3, 'none', 2_000, { closed: true, legs: [] });
    await harness.publisher.publish(outgoing('position.v1', closed));
    await harness.changes(accountId, ONCE);
  });

  it('evaluates only rules whose threshold the price came near', async () => {
    await published(...prices(2_000));
    const near = await scene();
    const far = await scene({ conditionValue: 900 });
    const versionOf = async (positionId: string) =>
      (
        await harness.query<{ xmax: string }>('SELECT xmax::text FROM positions WHERE id = $1', [positionId])
      )[0]!.xmax;
    const before = [await versionOf(near.positionId), await versionOf(far.positionId)];
    await published(...prices(1_790));
    await harness.changes(near.accountId, ONCE.slice(0, 1));
    // A row that was locked for an evaluation contains the number of that transaction.
    expect(await versionOf(near.positionId)).not.toBe(before[0]);
    expect(await versionOf(far.positionId)).toBe(before[1]);
  });

  it('fires again when the cooldown is over, over a restart', async () => {
    let nowMs = Date.now();
    const takeClock = (): void => {
      harness.app.get(Clock).now = () => nowMs;
    };
    takeClock();
    await published(...prices(2_000));
    const { accountId } = await scene();
    await published(...prices(1_790, 1_900, 1_780));
    await harness.changes(accountId, ONCE);
    await harness.restart();
    takeClock();
    nowMs += 300_000;
    await harness.changes(accountId, [...ONCE, ONCE[0]!]);
    await waitFor(async () => (await harness.query('SELECT 1 FROM due_openings')).length === 0, {
      message: 'nothing waits',
    });
    harness.app.get(Clock).now = Date.now;
  });
});
