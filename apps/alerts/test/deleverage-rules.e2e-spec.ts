import { TIER_LIMITS } from '@plimsoll/access';
import {
  type AlertList,
  type CreateRuleBody,
  type ExecutionList,
  type ExecutionV1,
  type Identity,
  type PositionV1,
  type RuleAnswer,
  newId,
} from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import {
  type EventCollector,
  collectEvents,
  sampleExecution,
  sampleWallet,
  waitFor,
} from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';
import { sampleRule, wethPosition } from './samples';
import { positionDetail } from './test-upstream';

jest.setTimeout(60_000);

const RULES = '/v1/automation/rules';
const ACTION = { targetHealthFactor: 1.8, strategy: 'flash_loan_unwind', maxSlippageBps: 60 } as const;
const SIGNATURE = `0x${'12'.repeat(65)}`;

describe('rules that execute', () => {
  let harness: AlertsHarness;
  let requests: EventCollector<'automation.v1'>;
  let wallets = 900;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    requests = await collectEvents(harness.kafka, 'automation.v1');
  }, 120_000);
  afterAll(async () => {
    await requests?.stop();
    await harness?.close();
  });

  const newPosition = (): PositionV1 => {
    const position = wethPosition(sampleWallet((wallets += 1)), 1, 'low', 2_000);
    harness.upstream.positions.set(position.id, positionDetail(position));
    return position;
  };
  const body = (positionId: string, over: Partial<CreateRuleBody> = {}) =>
    sampleRule(positionId, { actionType: 'deleverage', action: { ...ACTION }, ...over });
  const create = (accountId: string, rule: object, identity: Partial<Identity> = {}) =>
    harness.call<RuleAnswer>('POST', RULES, accountId, rule, { tier: 'enterprise', ...identity });
  const scene = async (over: Partial<CreateRuleBody> = {}) => {
    const accountId = newAccount();
    const position = newPosition();
    const { body: response } = await create(accountId, body(position.id, over));
    const at = (sequence: number, band: PositionV1['band'], more: Partial<PositionV1> = {}) =>
      outgoing('position.v1', wethPosition(position.wallet, sequence, band, 2_000, more));
    return { accountId, position, rule: response.rule, at };
  };
  const executionsOf = async (accountId: string) =>
    (await harness.call<ExecutionList>('GET', '/v1/automation/executions', accountId)).body.executions;
  const requestsOf = (accountId: string) =>
    requests.events.flatMap(({ value }) => (value?.accountId === accountId ? value : []));
  const fired = async (accountId: string) =>
    waitFor(() => requestsOf(accountId)[0], { message: 'the rule asks for its execution' });
  const step = (
    of: { executionId: string; accountId: string; positionId: string },
    over: Partial<ExecutionV1>,
  ) => outgoing('execution.v1', sampleExecution({ ...of, at: new Date().toISOString(), ...over }));
  const reaches = (accountId: string, status: string) =>
    waitFor(
      async () => {
        const [execution] = await executionsOf(accountId);
        return execution?.status === status && execution;
      },
      { message: `the execution of the rule is ${status}` },
    );

  describe('POST /v1/automation/rules', () => {
    it('201 with the requested rule, after execution confirmed that it can run it', async () => {
      const { id } = newPosition();
      const rule = body(id, { action: { ...ACTION, walletSignature: SIGNATURE } });
      const { status, body: response } = await create(newAccount(), rule);
      expect([status, response.rule.action]).toEqual([201, { ...ACTION, dryRun: false }]);
      expect(harness.upstream.requests.at(-1)).toEqual({
        positionId: id,
        targetHealthFactor: 1.8,
        strategy: 'flash_loan_unwind',
        belowHealthFactor: 1.5,
        walletSignature: SIGNATURE,
      });
    });

    it('403 below enterprise, and with a key without the execution scope', async () => {
      const rule = body(newPosition().id);
      const below = await create(newAccount(), rule, { tier: 'business' });
      expect([below.status, below.body.code]).toEqual([403, 'tier_required']);
      const narrow = await create(newAccount(), rule, { scopes: ['alerts:write', 'positions:read'] });
      expect([narrow.status, narrow.body.code]).toEqual([403, 'scope_required']);
    });

    it.each<[string, object, string, string]>([
      ['no target', { action: {} }, 'action.targetHealthFactor', 'required'],
      ['a target of 1', { action: { targetHealthFactor: 1 } }, 'action.targetHealthFactor', 'out_of_range'],
      ['a target above 10', { action: { targetHealthFactor: 11 } }, 'action.targetHealthFactor', 'max'],
      [
        'a target at which it never clears',
        { action: { targetHealthFactor: 1.51 } },
        'action.targetHealthFactor',
        'out_of_range',
      ],
      [
        'a health factor that is too high',
        { conditionType: 'health_factor_above' },
        'actionType',
        'unexpected',
      ],
    ])('400 for %s', async (_, over, field, code) => {
      const { status, body: response } = await create(newAccount(), { ...body(newPosition().id), ...over });
      expect([status, response.errors]).toEqual([400, [expect.objectContaining({ field, code })]]);
    });

    it.each([
      [400, 'unsupported_execution', 'positionId', 'protocol_not_executable', 'positionId'],
      [400, 'unsupported_execution', 'mode', 'no_executor', 'actionType'],
      [409, 'execution_refused', 'walletSignature', 'not_authorised', 'action.walletSignature'],
      [409, 'execution_refused', 'belowHealthFactor', 'executor_refused', 'conditionValue'],
    ] as const)('%d %s if execution reports %s: %s', async (status, code, said, reason, field) => {
      const accountId = newAccount();
      const { id } = newPosition();
      const errors = [{ field: said, code: reason, message: 'Why.' }];
      harness.upstream.refusals.set(id, { status, code, detail: 'Why.', errors });
      const response = await create(accountId, body(id));
      expect([response.status, response.body.code, response.body.errors]).toEqual([
        status,
        code,
        [{ field, code: reason, message: 'Why.' }],
      ]);
      expect(await harness.query('SELECT 1 FROM rules WHERE account_id = $1', [accountId])).toEqual([]);
    });
  });

  it('PATCH: a target beside the condition is rejected, a key without the scope may disable it but not enable it', async () => {
    const { accountId, rule } = await scene();
    const patch = (change: object, identity: Partial<Identity> = {}) =>
      harness.call<RuleAnswer>('PATCH', `${RULES}/${rule.id}`, accountId, change, {
        tier: 'enterprise',
        ...identity,
      });
    const high = await patch({ conditionValue: 1.79 });
    expect([high.status, high.body.errors?.[0]?.field]).toEqual([400, 'conditionValue']);
    const narrow = { scopes: ['alerts:write'] as const };
    expect((await patch({ isActive: false }, narrow)).status).toBe(200);
    expect((await patch({ isActive: true }, narrow)).body.code).toBe('scope_required');
    const changed = await patch({ action: { targetHealthFactor: 2, dryRun: true } });
    expect(changed.body.rule.action).toEqual({
      targetHealthFactor: 2,
      strategy: 'repay_debt',
      maxSlippageBps: 50,
      dryRun: true,
    });
    expect((await patch({ actionType: 'alert' })).body.rule.action).toBeNull();
    const back = await patch({ actionType: 'deleverage', action: ACTION });
    expect([back.status, back.body.rule.action]).toEqual([200, { ...ACTION, dryRun: false }]);
  });

  it('requests one execution per firing, under the id of its record, although events arrive twice', async () => {
    const { accountId, position, rule, at } = await scene();
    const high = at(1, 'high');
    await harness.publisher.publish(high, at(2, 'critical'));
    const asked = await fired(accountId);
    const { id, protocol, chainId, market, wallet } = position;
    expect(asked).toMatchObject({
      ...ACTION,
      ruleId: rule.id,
      dryRun: false,
      position: { id, protocol, chainId, market, wallet },
    });
    expect(Date.parse(asked.deadline) - Date.parse(asked.triggeredAt)).toBe(600_000);
    await harness.query('TRUNCATE inbox');
    await harness.publisher.publish(high, at(3, 'critical'));
    await harness.handled(id, 3);
    const executions = await executionsOf(accountId);
    expect(executions).toEqual([expect.objectContaining({ id: asked.executionId, status: 'pending' })]);
    expect(requestsOf(accountId)).toHaveLength(1);
  });

  it('its record follows execution.v1 to the end, and ignores older or repeated events', async () => {
    const { accountId, position, at } = await scene();
    await harness.publisher.publish(at(1, 'high'));
    const { executionId } = await fired(accountId);
    const of = { executionId, accountId, positionId: position.id };
    await harness.publisher.publish(step(of, { sequence: 3, status: 'running' }));
    await reaches(accountId, 'running');
    await harness.publisher.publish(
      step(of, { sequence: 1, status: 'pending' }),
      step(of, { sequence: 6, status: 'completed', healthFactorAfter: 1.8, block: 12 }),
      step(of, { sequence: 4, status: 'running' }),
    );
    const done = await reaches(accountId, 'completed');
    expect(done.result).toContain('from 1.08 to 1.8 in block 12');
    expect(done.finishedAt).not.toBeNull();
    await harness.publisher.publish(step(of, { sequence: 7, status: 'running' }), at(2, 'low'));
    await harness.changes(accountId, ['active rule_triggered', 'resolved rule_triggered']);
    expect((await executionsOf(accountId))[0]?.status).toBe('completed');
  });

  const reverted = {
    status: 'failed',
    failure: { code: 'reverted', message: 'Nothing was moved.' },
  } as const;
  const FAILED = ['active rule_triggered', 'active execution_failed'];

  it('an execution that fails alerts its account, until the rule clears', async () => {
    const { accountId, position, rule, at } = await scene();
    await harness.publisher.publish(at(1, 'high'));
    const { executionId } = await fired(accountId);
    const of = { executionId, accountId, positionId: position.id };
    await harness.publisher.publish(step(of, { sequence: 5, ...reverted }));
    await harness.changes(accountId, FAILED);
    const failed = await reaches(accountId, 'failed');
    expect(failed.result).toContain('Nothing was moved.');
    const { body: response } = await harness.call<AlertList>('GET', '/v1/alerts?status=active', accountId);
    expect(response.alerts[0]).toMatchObject({
      type: 'execution_failed',
      severity: 'high',
      positionId: position.id,
      ruleId: rule.id,
    });
    const published = harness.alerts.events.find(
      ({ value }) => value?.alertId === response.alerts[0]?.id,
    )!.value!;
    expect(published.position).toMatchObject({ id: position.id, wallet: position.wallet });
    await failsAgain(of);
    await harness.publisher.publish(at(2, 'low'));
    await waitFor(() => harness.published(accountId).length >= 4, { message: 'both are resolved' });
    await failsAgain(of);
    const { body: later } = await harness.call<AlertList>('GET', '/v1/alerts?status=active', accountId);
    expect(later.alerts).toEqual([]);
    expect(harness.published(accountId)).toEqual([
      ...FAILED,
      'resolved rule_triggered',
      'resolved execution_failed',
    ]);
  });

  /** The same step arrives again after the inbox has forgotten it. Resolves when it has been processed. */
  const failsAgain = async (of: Parameters<typeof step>[0]): Promise<void> => {
    await harness.query('TRUNCATE inbox');
    await harness.publisher.publish(step(of, { sequence: 5, ...reverted }));
    await waitFor(async () => (await harness.query('SELECT FROM inbox')).length > 0, {
      message: 'it is handled again',
    });
  };

  it('a request that fails alerts its account too; a later success or the end of a day resolves the alert', async () => {
    const { accountId, position } = { accountId: newAccount(), position: newPosition() };
    const one = { accountId, positionId: position.id };
    const cancelled = {
      status: 'cancelled',
      failure: { code: 'deadline_passed', message: 'Late.' },
    } as const;
    await harness.publisher.publish(step({ ...one, executionId: newId('exec') }, cancelled));
    await harness.changes(accountId, ['active execution_failed']);
    // None of its states was received, and the alert states that.
    const published = harness.alerts.events.find(({ value }) => value?.accountId === accountId)!.value!;
    expect([published.position, published.ruleId]).toEqual([null, undefined]);
    await harness.publisher.publish(
      step({ ...one, executionId: newId('exec') }, { status: 'completed', dryRun: true }),
      step({ ...one, executionId: newId('exec') }, { status: 'completed' }),
    );
    await harness.changes(accountId, ['active execution_failed', 'resolved execution_failed']);
    await harness.publisher.publish(step({ ...one, executionId: newId('exec') }, reverted));
    await waitFor(() => harness.published(accountId).length === 3, { message: 'another execution failed' });
    const clock = harness.app.get(Clock);
    clock.now = () => Date.now() + 86_400_001;
    await waitFor(() => harness.published(accountId).length === 4, { message: 'a day has passed' });
    clock.now = Date.now;
    expect(harness.published(accountId).at(-1)).toBe('resolved execution_failed');
  });

  it("no alert for another rule's execution, a finished one, or a dry run", async () => {
    const { accountId, position, at } = await scene();
    await harness.publisher.publish(at(1, 'high'));
    const { executionId } = await fired(accountId);
    const of = { executionId, accountId, positionId: position.id };
    const failure = { code: 'in_flight', message: 'Another was under way.' } as const;
    await harness.publisher.publish(
      step({ ...of, executionId: newId('exec') }, { ...reverted, dryRun: true }),
      step(of, { status: 'failed', failure }),
    );
    const skipped = await reaches(accountId, 'skipped');
    expect(skipped.result).toContain('Another was under way.');
    await harness.publisher.publish(at(2, 'low'));
    await harness.changes(accountId, ['active rule_triggered', 'resolved rule_triggered']);
  });

  it('notifies an account that went below enterprise, and executes nothing', async () => {
    const { accountId, position, at } = await scene();
    const { keys, requestsPerMinute, requestsPerDay, webhooks, wallets: most } = TIER_LIMITS.business;
    const limits = { keys, requestsPerMinute, requestsPerDay, webhooks, wallets: most };
    const account = { accountId, tier: 'business', limits, updatedAt: new Date().toISOString() } as const;
    await harness.publisher.publish(outgoing('account.v1', account));
    await waitFor(
      async () =>
        (await harness.query('SELECT 1 FROM accounts WHERE account_id = $1 AND NOT may_execute', [accountId]))
          .length === 1,
      { message: 'the tier is known' },
    );
    await harness.publisher.publish(at(1, 'high'));
    await harness.handled(position.id, 1);
    await harness.changes(accountId, ['active rule_triggered']);
    const [execution] = await executionsOf(accountId);
    expect(execution).toMatchObject({ status: 'skipped' });
    expect(requestsOf(accountId)).toEqual([]);
  });
});
