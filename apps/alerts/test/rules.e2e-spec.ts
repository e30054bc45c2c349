import {
  type AlertList,
  type AutomationRule,
  type CreateRuleBody,
  type DeletedRule,
  type Identity,
  type PositionV1,
  type RuleAnswer,
  type RuleList,
  type RulePreview,
  derivedId,
} from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { HistoryCleaner } from '../src/history/history-cleaner';
import { AlertsHarness, newAccount } from './alerts-harness';
import { samplePrice, sampleRule, wethPosition } from './samples';
import { positionDetail, webhookEndpoint } from './test-upstream';

jest.setTimeout(60_000);

const WEBHOOK_ID = derivedId('wh', 1);
const OTHER_WALLET = derivedId('rule', 'none');

describe('automation rules', () => {
  let harness: AlertsHarness;
  let wallets = 0;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
    harness.upstream.webhooks.push(webhookEndpoint(WEBHOOK_ID));
    const price = samplePrice('ETH', 2_000, Date.parse('2026-11-21T08:00:00.000Z'));
    await harness.publisher.publish(outgoing('price.v1', price));
    await harness.priced(price);
  }, 120_000);
  afterAll(() => harness.close());

  /** A position that the positions service knows, in a wallet that no account watches. */
  const newPosition = (band: 'low' | 'high' = 'low'): PositionV1 => {
    const position = wethPosition(sampleWallet((wallets += 1)), 1, band, 2_000);
    harness.upstream.positions.set(position.id, positionDetail(position));
    return position;
  };
  const create = (accountId: string, body: object, identity: Partial<Identity> = {}) =>
    harness.call<RuleAnswer>('POST', '/v1/automation/rules', accountId, body, identity);
  const created = async (accountId: string, body: CreateRuleBody): Promise<AutomationRule> =>
    (await create(accountId, body)).body.rule;

  describe('POST /v1/automation/rules', () => {
    it('201 with the rule, and an event to the other services', async () => {
      const accountId = newAccount();
      const { id: positionId } = newPosition();
      const { status, body } = await create(accountId, sampleRule(positionId));
      expect(status).toBe(201);
      expect(body.rule).toEqual({
        id: expect.stringMatching(/^rule_\w{22}$/) as string,
        name: 'Guard',
        conditionType: 'health_factor_below',
        conditionValue: 1.5,
        asset: null,
        actionType: 'alert',
        action: null,
        positionId,
        isActive: true,
        createdAt: expect.any(String) as string,
        updatedAt: body.rule.createdAt,
      });
      const published = await waitFor(
        () => harness.rules.events.find(({ key }) => key === body.rule.id)?.value,
        {
          message: 'rule.v1',
        },
      );
      expect(published).toMatchObject({ accountId, positionId, isActive: true, conditionValue: 1.5 });
    });

    it.each<[string, Partial<CreateRuleBody>, Partial<AutomationRule>]>([
      [
        'a price of a held asset in any case',
        { conditionType: 'price_below', asset: 'eth' },
        { asset: 'WETH' },
      ],
      [
        'an endpoint of the account',
        { actionType: 'webhook', action: { webhookId: WEBHOOK_ID } },
        { action: { webhookId: WEBHOOK_ID } },
      ],
      ['a rule that is off', { isActive: false }, { isActive: false }],
    ])('201 for %s', async (_, over, expected) => {
      const { status, body } = await create(newAccount(), sampleRule(newPosition().id, over));
      expect([status, body.rule]).toEqual([201, expect.objectContaining(expected)]);
    });

    it.each<[string, object, string, string]>([
      ['no name', { name: undefined }, 'name', 'is_string'],
      ['an unknown field', { treshold: 1 }, 'treshold', 'unknown_field'],
      ['an unknown condition', { conditionType: 'moon' }, 'conditionType', 'is_in'],
      ['a value out of range', { conditionValue: 0 }, 'conditionValue', 'out_of_range'],
      [
        'a probability in percent',
        { conditionType: 'liquidation_probability_above', conditionValue: 50 },
        'conditionValue',
        'out_of_range',
      ],
      ['a price without asset', { conditionType: 'price_above' }, 'asset', 'required'],
      ['an asset without a price', { conditionType: 'price_above', asset: 'usdc' }, 'asset', 'not_available'],
      ['an asset not held', { conditionType: 'price_above', asset: 'LINK' }, 'asset', 'not_held'],
      ['an asset without price', { asset: 'WETH' }, 'asset', 'unexpected'],
      ['null for an asset', { conditionType: 'price_above', asset: null }, 'asset', 'is_string'],
      ['a webhook without id', { actionType: 'webhook' }, 'action.webhookId', 'required'],
      [
        'an endpoint that is not there',
        { actionType: 'webhook', action: { webhookId: derivedId('wh', 2) } },
        'action.webhookId',
        'not_found',
      ],
    ])('400 for %s', async (_, over, field, code) => {
      const { status, body } = await create(newAccount(), { ...sampleRule(newPosition().id), ...over });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.errors).toContainEqual(expect.objectContaining({ field, code }));
    });

    it('403 above the cap of rules', async () => {
      const accountId = newAccount();
      const { id } = newPosition();
      await harness.query(
        `INSERT INTO rules SELECT 'rule_' || n, $1, $2, 'Many', 'ltv_above', 1, NULL, 'alert', NULL, false, now(), now()
         FROM generate_series(1, 99) AS n`,
        [accountId, id],
      );
      expect((await create(accountId, sampleRule(id))).status).toBe(201);
      const { status, body } = await create(accountId, sampleRule(id));
      expect([status, body.code]).toEqual([403, 'quota_reached']);
      expect((await create(accountId, sampleRule(id), { tier: 'enterprise' })).status).toBe(201);
    });

    it('404 for a position that was never seen', async () => {
      const { status, body } = await create(newAccount(), sampleRule(derivedId('pos', 'never')));
      expect([status, body.code]).toEqual([404, 'not_found']);
    });

    it('503 while the position cannot be read, and no rule is created', async () => {
      const accountId = newAccount();
      const { id } = newPosition();
      harness.upstream.failure = 503;
      try {
        const { status, body } = await create(accountId, sampleRule(id));
        expect([status, body.code]).toEqual([503, 'upstream_unavailable']);
      } finally {
        harness.upstream.failure = null;
      }
      expect(await harness.query('SELECT 1 FROM rules WHERE account_id = $1', [accountId])).toEqual([]);
    });

    it('201 with the first response for the same Idempotency-Key; 409 for the key with another body', async () => {
      const accountId = newAccount();
      const body = sampleRule(newPosition().id);
      const again = (sent: object) => {
        const key = { 'idempotency-key': 'once' };
        return harness.call<RuleAnswer>('POST', '/v1/automation/rules', accountId, sent, {}, key);
      };
      const first = await again(body);
      const second = await again(body);
      expect([second.status, second.body]).toEqual([201, first.body]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      const other = await again({ ...body, name: 'Other' });
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch']);
      expect(await harness.query('SELECT 1 FROM rules WHERE account_id = $1', [accountId])).toHaveLength(1);
    });

    it('401 without the signed identity', async () => {
      const response = await harness.app.inject({ method: 'POST', url: '/v1/automation/rules', payload: {} });
      expect(response.statusCode).toBe(401);
    });
  });

  describe('GET /v1/automation/rules', () => {
    it('200 page by page, newest first, without rules of another account', async () => {
      const accountId = newAccount();
      const { id } = newPosition();
      const ids = [];
      for (const name of ['a', 'b', 'c'])
        ids.unshift((await created(accountId, sampleRule(id, { name }))).id);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const url: string = `/v1/automation/rules?limit=2&cursor=${cursor}`;
        const page: { body: RuleList } = await harness.call<RuleList>('GET', url, accountId);
        expect(page.body.count).toBe(page.body.rules.length);
        seen.push(...page.body.rules.map((rule) => rule.id));
        cursor = page.body.nextCursor;
      }
      expect(seen).toEqual(ids);
      const other = await harness.call<RuleList>('GET', '/v1/automation/rules', newAccount());
      expect(other.body).toEqual({ rules: [], count: 0, nextCursor: null });
    });

    it('400 for a limit out of range', async () => {
      const { status, body } = await harness.call('GET', '/v1/automation/rules?limit=0', newAccount());
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'limit']);
    });
  });

  describe('PATCH /v1/automation/rules/:id', () => {
    const patch = (accountId: string, id: string, body: object) =>
      harness.call<RuleAnswer>('PATCH', `/v1/automation/rules/${id}`, accountId, body);

    it('200 with the changed fields, and the others unchanged', async () => {
      const accountId = newAccount();
      const rule = await created(accountId, sampleRule(newPosition().id));
      const { status, body } = await patch(accountId, rule.id, { name: 'New', conditionValue: 1.4 });
      expect(status).toBe(200);
      expect(body.rule).toEqual({
        ...rule,
        name: 'New',
        conditionValue: 1.4,
        updatedAt: body.rule.updatedAt,
      });
      const hooked = await patch(accountId, rule.id, {
        actionType: 'webhook',
        action: { webhookId: WEBHOOK_ID },
      });
      expect(hooked.body.rule.action).toEqual({ webhookId: WEBHOOK_ID });
      expect((await patch(accountId, rule.id, { actionType: 'alert' })).body.rule.action).toBeNull();
    });

    it('400 for a value out of range or an unknown field', async () => {
      const accountId = newAccount();
      const rule = await created(accountId, sampleRule(newPosition().id));
      for (const [body, field] of [
        [{ conditionValue: -1 }, 'conditionValue'],
        [{ positionId: rule.positionId }, 'positionId'],
        [{ action: { webhookId: WEBHOOK_ID } }, 'action'],
        [{ name: null }, 'name'],
      ] as const) {
        const response = await patch(accountId, rule.id, body);
        expect([response.status, response.body.errors?.[0]?.field]).toEqual([400, field]);
      }
    });

    it('200 for two changes at once, neither of which reverts the other', async () => {
      const accountId = newAccount();
      const { id } = await created(accountId, sampleRule(newPosition().id));
      await Promise.all([
        patch(accountId, id, { name: 'Renamed' }),
        patch(accountId, id, { isActive: false }),
      ]);
      const { body } = await harness.call<RuleList>('GET', '/v1/automation/rules', accountId);
      expect(body.rules).toEqual([expect.objectContaining({ name: 'Renamed', isActive: false })]);
    });

    it("404 for another account's", async () => {
      const rule = await created(newAccount(), sampleRule(newPosition().id));
      expect((await patch(newAccount(), rule.id, { name: 'Mine' })).status).toBe(404);
    });
  });

  describe('DELETE /v1/automation/rules/:id', () => {
    it('200, and a tombstone publishes the deletion', async () => {
      const accountId = newAccount();
      const { id } = await created(accountId, sampleRule(newPosition().id));
      const url = `/v1/automation/rules/${id}`;
      const { status, body } = await harness.call<DeletedRule>('DELETE', url, accountId);
      expect([status, body]).toEqual([200, { success: true, deleted: id }]);
      await waitFor(() => harness.rules.events.some(({ key, value }) => key === id && value === null), {
        message: 'the tombstone',
      });
      expect((await harness.call('DELETE', url, accountId)).status).toBe(404);
    });

    it("404 for another account's", async () => {
      const { id } = await created(newAccount(), sampleRule(newPosition().id));
      for (const each of [id, OTHER_WALLET, 'nonsense']) {
        const { status } = await harness.call('DELETE', `/v1/automation/rules/${each}`, newAccount());
        expect(status).toBe(404);
      }
    });
  });

  describe('POST /v1/automation/rules/preview', () => {
    const preview = (body: object) =>
      harness.call<RulePreview>('POST', '/v1/automation/rules/preview', newAccount(), body);

    it('200 with each firing, and how far the history reaches', async () => {
      const wallet = sampleWallet((wallets += 1));
      const startMs = Date.parse('2026-11-21T10:00:00.000Z');
      const at = (minute: number): string => new Date(startMs + minute * 60_000).toISOString();
      const states = [
        wethPosition(wallet, 1, 'low', 2_000, { blockTime: at(0) }),
        wethPosition(wallet, 2, 'high', 1_500, { blockTime: at(1) }),
        // It is in the same minute as the state before it: only the last is stored.
        wethPosition(wallet, 3, 'critical', 1_400, { blockTime: at(1.5) }),
        wethPosition(wallet, 4, 'low', 2_000, { blockTime: at(9) }),
      ];
      const { id: positionId } = states[0]!;
      await harness.publisher.publish(...states.map((state) => outgoing('position.v1', state)));
      await harness.handled(positionId, 4);
      const { status, body } = await preview({
        conditionType: 'health_factor_below',
        conditionValue: 1.1,
        positionId,
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        firedCount: 1,
        firings: [{ firedAt: at(1.5), block: 103, value: 1.03, clearedAt: at(9) }],
        history: { from: at(0), to: at(9), states: 3, resolutionSeconds: 60 },
      });
    });

    it("200 for a price rule, with the market's prices minute by minute", async () => {
      const wallet = sampleWallet((wallets += 1));
      const startMs = Date.parse('2026-11-21T10:00:00.000Z');
      const at = (minute: number): string => new Date(startMs + minute * 60_000).toISOString();
      const position = wethPosition(wallet, 1, 'low', 2_000, { blockTime: at(0) });
      await harness.publisher.publish(outgoing('position.v1', position));
      await harness.handled(position.id, 1);
      const prices = (
        [
          [-1, 1_400],
          [0.1, 1_500],
          [3, 1_440],
          [3.5, 1_430],
          [4, 1_460],
          [9, 1_500],
        ] as const
      ).map(([minute, usd]) => samplePrice('ETH', usd, startMs + minute * 60_000));
      await harness.publisher.publish(...prices.map((price) => outgoing('price.v1', price)));
      await harness.priced(prices.at(-1)!);
      const { body } = await preview({
        conditionType: 'price_below',
        conditionValue: 1_450,
        positionId: position.id,
        asset: 'WETH',
      });
      expect(body).toEqual({
        firedCount: 1,
        firings: [{ firedAt: at(3.5), block: 101, value: 1_430, clearedAt: at(9) }],
        history: { from: at(0.1), to: at(9), states: 4, resolutionSeconds: 60 },
      });
    });

    it('200 with no history if there is none yet', async () => {
      const { name: _name, actionType: _action, ...condition } = sampleRule(newPosition().id);
      const { status, body } = await preview(condition);
      expect([status, body.firedCount, body.history.from]).toEqual([200, 0, null]);
    });

    it('200 for the body of a rule to create', async () => {
      const action = { targetHealthFactor: 1.5 };
      for (const more of [{}, { isActive: false }, { actionType: 'deleverage', action }]) {
        const { status, body } = await preview({ ...sampleRule(newPosition().id), ...more });
        expect([status, body.firedCount]).toEqual([200, 0]);
      }
    });

    it('200 without data older than the retention', async () => {
      const position = newPosition();
      await harness.publisher.publish(outgoing('position.v1', position));
      await harness.handled(position.id, 1);
      const { name: _name, actionType: _action, ...condition } = sampleRule(position.id);
      const clock = harness.part(Clock);
      for (const [days, states] of [
        [29, 1],
        [31, 0],
      ] as const) {
        clock.now = () => Date.parse(position.blockTime) + days * 86_400_000;
        await harness.part(HistoryCleaner).round();
        expect((await preview(condition)).body.history.states).toBe(states);
      }
      clock.now = Date.now;
    });

    it('400 for an invalid rule; 404 for an unknown position', async () => {
      const positionId = derivedId('pos', 'never');
      const wrong = await preview({ conditionType: 'ltv_above', conditionValue: 80, positionId });
      expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([400, 'conditionValue']);
      const misspelled = await preview({ ...sampleRule(positionId), nmae: 'x' });
      expect([misspelled.status, misspelled.body.errors?.[0]?.field]).toEqual([400, 'nmae']);
      const unknown = await preview({ conditionType: 'ltv_above', conditionValue: 0.8, positionId });
      expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
    });
  });

  it('a rule whose condition is already met fires immediately, and disabling it resolves its alert', async () => {
    const accountId = newAccount();
    const position = newPosition('high');
    await harness.publisher.publish(outgoing('position.v1', position));
    await harness.handled(position.id, 1);
    const { id } = await created(accountId, sampleRule(position.id));
    await harness.changes(accountId, ['active rule_triggered']);
    const alerts = await harness.call<AlertList>('GET', '/v1/alerts', accountId);
    expect(alerts.body.alerts).toEqual([
      expect.objectContaining({ type: 'rule_triggered', severity: 'medium', ruleId: id }),
    ]);
    await harness.call('PATCH', `/v1/automation/rules/${id}`, accountId, { isActive: false });
    await harness.changes(accountId, ['active rule_triggered', 'resolved rule_triggered']);
  });
});
