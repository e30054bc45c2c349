import { type CreateRuleBody, type DeliveryV1, type ExecutionList, newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { sampleRule, wethPosition } from './samples';
import { positionDetail, webhookEndpoint } from './test-upstream';

jest.setTimeout(60_000);

const OPENED = 'active webhook_disabled';
const RESOLVED = 'resolved webhook_disabled';

describe('a webhook endpoint that is deleted', () => {
  let harness: AlertsHarness;
  let wallets = 0;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const scene = () => {
    const accountId = newAccount();
    const webhookId = newId('wh');
    const now = () => new Date().toISOString();
    const deleted = () => outgoing('webhook.v1', { webhookId, accountId, change: 'deleted', at: now() });
    const delivery = (state: DeliveryV1['state'], over: Partial<DeliveryV1> = {}) => {
      const of = { deliveryId: newId('del'), webhookId, accountId, eventId: newId('evt') };
      const what = { event: 'alert.created' as const, attempt: 5, statusCode: 503, nextAttemptAt: null };
      return outgoing('delivery.v1', { ...of, ...what, state, at: now(), ...over });
    };
    return { accountId, webhookId, deleted, delivery };
  };
  const isDeleted = (webhookId: string): Promise<unknown> =>
    waitFor(
      async () => {
        const sql = 'SELECT 1 FROM webhook_states WHERE webhook_id = $1 AND deleted_at IS NOT NULL';
        return (await harness.query(sql, [webhookId])).length === 1;
      },
      { message: 'the deletion is handled' },
    );

  it.each(['failed deliveries', 'a disabled endpoint'])('resolves the alert about %s', async (about) => {
    const { accountId, deleted, delivery } = scene();
    const disabled = about === 'a disabled endpoint' ? { webhookDisabled: 'gone' as const } : {};
    await harness.publisher.publish(delivery('failed', disabled));
    await harness.changes(accountId, [OPENED]);
    await harness.publisher.publish(deleted());
    await harness.changes(accountId, [OPENED, RESOLVED]);
  });

  it('receives nothing more: neither late deliveries nor a repeated event', async () => {
    const { accountId, webhookId, deleted, delivery } = scene();
    const gone = deleted();
    await harness.publisher.publish(gone);
    await isDeleted(webhookId);
    await harness.query('TRUNCATE inbox');
    const late = delivery('failed');
    const last = delivery('failed', { webhookDisabled: 'failing' });
    await harness.publisher.publish(late, gone, last);
    await waitFor(
      async () => {
        const sql = 'SELECT seen_at FROM webhook_states WHERE webhook_id = $1';
        const [row] = await harness.query<{ seen_at: Date }>(sql, [webhookId]);
        return row?.seen_at.toISOString() === (JSON.parse(last.value!) as DeliveryV1).at;
      },
      { message: 'the last delivery is handled' },
    );
    expect(harness.published(accountId)).toEqual([]);
  });

  it('leaves no execution open, neither an earlier one nor one of a rule that fires later', async () => {
    const { accountId, webhookId, deleted } = scene();
    harness.upstream.webhooks.push(webhookEndpoint(webhookId));
    const wallet = sampleWallet((wallets += 1));
    const first = wethPosition(wallet, 1, 'low', 2_000);
    harness.upstream.positions.set(first.id, positionDetail(first));
    const rule = (over: Partial<CreateRuleBody>) =>
      harness.call('POST', '/v1/automation/rules', accountId, {
        ...sampleRule(first.id, { actionType: 'webhook', action: { webhookId } }),
        ...over,
      });
    await rule({});
    await rule({ conditionValue: 1.1 });
    const executions = async () => {
      const url = '/v1/automation/executions';
      return (await harness.call<ExecutionList>('GET', url, accountId)).body.executions;
    };
    await harness.publisher.publish(outgoing('position.v1', wethPosition(wallet, 2, 'high', 2_000)));
    await harness.changes(accountId, ['active rule_triggered']);
    expect(await executions()).toEqual([expect.objectContaining({ status: 'pending', finishedAt: null })]);

    await harness.publisher.publish(deleted());
    await isDeleted(webhookId);
    const closed = expect.objectContaining({
      status: 'skipped',
      finishedAt: expect.any(String) as string,
      result: expect.stringContaining('deleted') as string,
    });
    expect(await executions()).toEqual([closed]);

    await harness.publisher.publish(outgoing('position.v1', wethPosition(wallet, 3, 'critical', 2_000)));
    await harness.changes(accountId, ['active rule_triggered', 'active rule_triggered']);
    expect(await executions()).toEqual([closed, closed]);
  });

  it('does not mention other endpoints', async () => {
    const other = scene();
    const { webhookId, deleted } = scene();
    await harness.publisher.publish(other.delivery('failed'));
    await harness.changes(other.accountId, [OPENED]);
    await harness.publisher.publish(deleted());
    await isDeleted(webhookId);
    expect(harness.published(other.accountId)).toEqual([OPENED]);
  });
});
