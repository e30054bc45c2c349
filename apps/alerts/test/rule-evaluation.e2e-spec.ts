import { TIER_LIMITS } from '@plimsoll/access';
import {
  type AccountV1,
  type CreateRuleBody,
  type DeliveryV1,
  type ExecutionList,
  type PositionV1,
  type RuleAnswer,
  derivedId,
  newId,
} from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { sampleRule, wethPosition } from './samples';
import { positionDetail, webhookEndpoint } from './test-upstream';

jest.setTimeout(60_000);

const WEBHOOK_ID = derivedId('wh', 1);

describe('evaluation of rules', () => {
  let harness: AlertsHarness;
  let wallets = 0;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    harness.upstream.webhooks.push(webhookEndpoint(WEBHOOK_ID));
  }, 120_000);
  afterAll(() => harness.close());

  /** A rule on a position of a wallet that no account watches. */
  const scene = async (over: Partial<CreateRuleBody> = {}) => {
    const wallet = sampleWallet((wallets += 1));
    const first = wethPosition(wallet, 1, 'low', 2_000);
    harness.upstream.positions.set(first.id, positionDetail(first));
    const accountId = newAccount();
    const rule = sampleRule(first.id, over);
    const { body } = await harness.call<RuleAnswer>('POST', '/v1/automation/rules', accountId, rule);
    const at = (sequence: number, band: PositionV1['band'], ethUsd = 2_000) =>
      outgoing('position.v1', wethPosition(wallet, sequence, band, ethUsd));
    return { accountId, positionId: first.id, rule: body.rule, at };
  };
  const executionsOf = async (accountId: string, query = '') =>
    (await harness.call<ExecutionList>('GET', `/v1/automation/executions${query}`, accountId)).body;

  it('fires for an account that does not watch the wallet, resolves when it clears, and executes', async () => {
    const { accountId, rule, at } = await scene();
    await harness.publisher.publish(at(1, 'low'), at(2, 'high'), at(3, 'low'));
    await harness.changes(accountId, ['active rule_triggered', 'resolved rule_triggered']);
    const { executions, count } = await executionsOf(accountId);
    expect([count, executions]).toEqual([
      1,
      [
        expect.objectContaining({
          ruleId: rule.id,
          status: 'completed',
          result: 'Guard: health factor 1.2 is below 1.5',
          alertId: expect.stringMatching(/^alt_/) as string,
        }),
      ],
    ]);
  });

  it('ignores repeated and older events', async () => {
    const { accountId, positionId, at } = await scene();
    const high = at(5, 'high');
    await harness.publisher.publish(high);
    await harness.changes(accountId, ['active rule_triggered']);
    await harness.publisher.publish(high, at(4, 'low'), at(6, 'high'));
    await harness.handled(positionId, 6);
    await harness.query('TRUNCATE inbox');
    await harness.publisher.publish(high, at(5, 'high'), at(7, 'high'));
    await harness.handled(positionId, 7);
    expect(harness.published(accountId)).toEqual(['active rule_triggered']);
    expect((await executionsOf(accountId)).count).toBe(1);
  });

  it('separates two rules on one position', async () => {
    const { accountId, positionId, rule, at } = await scene();
    const body = sampleRule(positionId, { name: 'Last call', conditionValue: 1.1 });
    const second = await harness.call<RuleAnswer>('POST', '/v1/automation/rules', accountId, body);
    await harness.publisher.publish(at(1, 'critical'));
    await harness.changes(accountId, ['active rule_triggered', 'active rule_triggered']);
    const { executions } = await executionsOf(accountId, `?ruleId=${second.body.rule.id}`);
    expect(executions.map(({ ruleId }) => ruleId)).toEqual([second.body.rule.id]);
    expect((await executionsOf(accountId)).executions.map(({ ruleId }) => ruleId).sort()).toEqual(
      [rule.id, second.body.rule.id].sort(),
    );
  });

  it('a webhook rule names its endpoint, and its execution follows the delivery', async () => {
    const { accountId, at } = await scene({ actionType: 'webhook', action: { webhookId: WEBHOOK_ID } });
    await harness.publisher.publish(at(1, 'high'));
    await harness.changes(accountId, ['active rule_triggered']);
    const event = harness.alerts.events.find(({ value }) => value?.accountId === accountId)!;
    expect(event.value).toMatchObject({ targetWebhookId: WEBHOOK_ID });
    expect((await executionsOf(accountId, '?status=pending')).count).toBe(1);

    const delivery = (
      state: DeliveryV1['state'],
      attempt: number,
      atMs: number,
      over: Partial<DeliveryV1> = {},
    ) =>
      outgoing('delivery.v1', {
        deliveryId: newId('del'),
        webhookId: WEBHOOK_ID,
        accountId,
        eventId: event.id,
        event: 'alert.created',
        state,
        attempt,
        statusCode: state === 'delivered' ? 204 : 503,
        at: new Date(atMs).toISOString(),
        nextAttemptAt: state === 'retrying' ? new Date(atMs + 60_000).toISOString() : null,
        ...over,
      });
    const nowMs = Date.now();
    await harness.publisher.publish(delivery('retrying', 1, nowMs));
    await waitFor(async () => (await executionsOf(accountId, '?status=running')).count === 1, {
      message: 'the execution runs',
    });
    // Another delivery to the endpoint was later, and its event arrives first.
    const other = { eventId: newId('evt'), deliveryId: newId('del') };
    await harness.publisher.publish(delivery('delivered', 1, nowMs + 5_000, other));
    const seen = 'SELECT 1 FROM webhook_states WHERE webhook_id = $1 AND seen_at > $2';
    await waitFor(async () => (await harness.query(seen, [WEBHOOK_ID, new Date(nowMs + 1)])).length === 1, {
      message: 'the other delivery is handled',
    });
    await harness.publisher.publish(delivery('delivered', 2, nowMs + 1), delivery('retrying', 1, nowMs));
    const done = await waitFor(
      async () => (await executionsOf(accountId, '?status=completed')).executions[0],
      { message: 'the execution is completed' },
    );
    expect(done).toMatchObject({ result: `Delivered to ${WEBHOOK_ID} with status 204 in attempt 2.` });
    expect(done.finishedAt).toBe(new Date(nowMs + 1).toISOString());
  });

  it('pauses while the tier of the account has no automation, and continues when it has it again', async () => {
    let nowMs = Date.now();
    harness.part(Clock).now = () => nowMs;
    const { accountId, positionId, at } = await scene();
    const account = (tier: AccountV1['tier']) => {
      const { requestsPerMinute, requestsPerDay, keys, webhooks, wallets } = TIER_LIMITS[tier];
      const limits = { requestsPerMinute, requestsPerDay, keys, webhooks, wallets };
      const updatedAt = new Date(nowMs).toISOString();
      return outgoing('account.v1', { accountId, tier, limits, updatedAt });
    };
    const once = ['active rule_triggered', 'resolved rule_triggered'];
    await harness.publisher.publish(at(1, 'high'));
    await harness.changes(accountId, once.slice(0, 1));
    await harness.publisher.publish(account('pro'));
    await harness.changes(accountId, once);
    nowMs += 300_000;
    await harness.publisher.publish(at(2, 'high'));
    await harness.handled(positionId, 2);
    expect(harness.published(accountId)).toEqual(once);
    await harness.publisher.publish(account('business'));
    await harness.changes(accountId, [...once, 'active rule_triggered']);
    harness.part(Clock).now = Date.now;
  });

  it('400 for an unknown status; 200 without executions of another account', async () => {
    const url = '/v1/automation/executions';
    const wrong = await harness.call('GET', `${url}?status=done`, newAccount());
    expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([400, 'status']);
    const other = await harness.call<ExecutionList>('GET', url, newAccount());
    expect(other.body).toEqual({ executions: [], count: 0, nextCursor: null });
  });

  it('delays a rule by five minutes after it cleared, over a restart, and then fires it', async () => {
    let nowMs = Date.now();
    const takeClock = (): void => {
      harness.part(Clock).now = () => nowMs;
    };
    takeClock();
    const { accountId, positionId, at } = await scene();
    const once = ['active rule_triggered', 'resolved rule_triggered'];
    await harness.publisher.publish(at(1, 'high'), at(2, 'low'), at(3, 'high'));
    await harness.handled(positionId, 3);
    await harness.changes(accountId, once);
    await harness.restart();
    takeClock();
    nowMs += 300_000;
    await harness.changes(accountId, [...once, 'active rule_triggered']);
    harness.part(Clock).now = Date.now;
  });
});

describe('collateral_drop', () => {
  let harness: AlertsHarness;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  it('reports a fall of prices, not a withdrawal, and resolves when the hour has passed without any event', async () => {
    let nowMs = Date.now();
    harness.part(Clock).now = () => nowMs;
    const [falling, leaving] = [sampleWallet(1), sampleWallet(2)];
    const [accountId, other] = [newAccount(), newAccount()];
    await harness.watch(accountId, falling);
    await harness.watch(other, leaving);
    const blockTime = new Date(nowMs).toISOString();
    await harness.publisher.publish(
      outgoing('position.v1', wethPosition(falling, 1, 'low', 2_000, { blockTime })),
      outgoing('position.v1', wethPosition(falling, 2, 'low', 1_590, { blockTime })),
      outgoing('position.v1', wethPosition(leaving, 1, 'low', 2_000, { blockTime })),
      outgoing('position.v1', wethPosition(leaving, 2, 'low', 2_000, { blockTime, weth: 2, usdc: 1_000 })),
    );
    await harness.changes(accountId, ['active collateral_drop']);
    await harness.handled(wethPosition(leaving, 2, 'low', 2_000).id, 2);
    nowMs += 3_600_000;
    await harness.changes(accountId, ['active collateral_drop', 'resolved collateral_drop']);
    expect(harness.published(other)).toEqual([]);
  });

  it('opens no alert beside the danger alert, which reports the fall', async () => {
    harness.part(Clock).now = Date.now;
    const wallet = sampleWallet(3);
    const accountId = newAccount();
    await harness.watch(accountId, wallet);
    const below = { healthFactor: 0.96, healthFactorRaw: '960000000000000000' };
    await harness.publisher.publish(
      outgoing('position.v1', wethPosition(wallet, 1, 'low', 2_000)),
      outgoing('position.v1', wethPosition(wallet, 2, 'low', 1_590)),
      outgoing('position.v1', wethPosition(wallet, 3, 'liquidatable', 1_200, below)),
    );
    await harness.changes(accountId, [
      'active collateral_drop',
      'active liquidation_risk',
      'resolved collateral_drop',
    ]);
    const mine = harness.alerts.events.flatMap(({ value }) => (value?.accountId === accountId ? value : []));
    const [, risk, drop] = mine;
    expect(risk?.content?.collateralDropPercent).toBeCloseTo(40, 9);
    expect(drop).toMatchObject({ resolveReason: 'escalated', escalatedTo: risk?.alertId });
  });
});
