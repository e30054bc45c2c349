import { BANDS, type Band, EVENTS, type PositionV1, derivedId } from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import fc from 'fast-check';
import type { PositionAlert } from '../lifecycle/alert';
import type { Evaluation } from '../positions/evaluation';
import { positionState } from '../positions/position-state';
import { type Rule, RuleIndex } from '../sources/rule/rule';
import { type Outcome, PositionEvaluator } from './position-evaluator';

const NOW = 1_800_000_000_000;
const WALLET = sampleWallet(1);
const ACCOUNTS = [derivedId('acc', 1), derivedId('acc', 2)];
let made = 0;
const watchers = new Map([[WALLET, new Map<string, string | null>(ACCOUNTS.map((id) => [id, null]))]]);

const state = (band: Band, sequence: number): Evaluation => ({
  position: positionState(samplePosition(WALLET, sequence, band)),
  previous: null,
  atMs: NOW,
  ageBlocks: 0,
  cause: { requestId: `req-${sequence}` },
});

function evaluate(
  bands: readonly Band[],
  known: PositionAlert[] = [],
  who = watchers,
  rules: Rule[] = [],
): Outcome {
  const newId = (prefix: 'alt' | 'evt' | 'exec'): string => derivedId(prefix, (made += 1));
  const evaluator = new PositionEvaluator(
    { alerts: known, watchers: who, preferences: new Map(), rules: new RuleIndex(rules), prices: {} },
    { nowMs: NOW, newId },
  );
  for (const [at, band] of bands.entries()) evaluator.evaluate(state(band, at + 1));
  return evaluator.outcome;
}

const notified = ({ events }: Outcome, accountId = ACCOUNTS[0]): string[] =>
  events.flatMap(({ value }) => {
    if (value.accountId !== accountId) return [];
    return [`${'change' in value ? value.change : value.status} ${value.type}`];
  });

describe('PositionEvaluator', () => {
  it('names the wallet as the watching account does', () => {
    const names = new Map<string, string | null>([
      [ACCOUNTS[0]!, 'Treasury'],
      [ACCOUNTS[1]!, null],
    ]);
    const { events } = evaluate(['critical'], [], new Map([[WALLET, names]]));
    expect(events.map(({ value }) => [value.accountId, value.content?.walletLabel])).toEqual([
      [ACCOUNTS[0], 'Treasury'],
      [ACCOUNTS[1], null],
    ]);
    expect(events.map(({ value }) => value.message.includes('wallet Treasury (0x'))).toEqual([true, false]);
  });

  it('notifies every watching account, with the correlation of the state', () => {
    const outcome = evaluate(['low', 'critical']);
    expect(ACCOUNTS.map((account) => notified(outcome, account))).toEqual([
      ['active liquidation_risk'],
      ['active liquidation_risk'],
    ]);
    expect(outcome.events.map(({ cause }) => cause.requestId)).toEqual(['req-2', 'req-2']);
  });

  it('has the receipt of the change of level, also when later figures change the alert', () => {
    const receipt = { receiptHash: 'cd'.repeat(32), receiptSequence: 2 };
    const receipts = (over: Partial<PositionV1>, known: PositionAlert[] = []) => {
      const evaluator = new PositionEvaluator(
        { alerts: known, watchers, preferences: new Map(), rules: new RuleIndex([]), prices: {} },
        { nowMs: NOW + 120_000, newId: (prefix) => derivedId(prefix, (made += 1)) },
      );
      const position = positionState(samplePosition(WALLET, 3, 'critical', over));
      evaluator.evaluate({ ...state('critical', 3), position });
      return evaluator.outcome.events.map(({ topic, value }) => [topic, value.content?.receiptHash]);
    };
    expect(receipts(receipt)[0]).toEqual(['alert.v1', receipt.receiptHash]);
    expect(receipts({})[0]).toEqual(['alert.v1', null]);
    const known = evaluate(['high']).opened;
    expect(receipts(receipt, known)[0]).toEqual(['alert-change.v1', receipt.receiptHash]);
  });

  it('shows the request of an account to no other one', () => {
    const evaluator = new PositionEvaluator(
      { alerts: [], watchers, preferences: new Map(), rules: new RuleIndex([]), prices: {} },
      { nowMs: NOW, newId: (prefix) => derivedId(prefix, (made += 1)) },
    );
    evaluator.evaluate({ ...state('critical', 1), causedBy: ACCOUNTS[1]! });
    const { events } = evaluator.outcome;
    expect(events.map(({ value, cause }) => [value.accountId, cause.requestId])).toEqual([
      [ACCOUNTS[0], undefined],
      [ACCOUNTS[1], 'req-1'],
    ]);
  });

  it('inserts an alert that ended within the batch as resolved, and opens another one immediately', () => {
    const outcome = evaluate(['high', 'low', 'high']);
    const opened = 'active health_factor_warning';
    expect(notified(outcome)).toEqual([opened, 'resolved health_factor_warning', opened]);
    expect(outcome.opened.map(({ resolvedAtMs }) => resolvedAtMs)).toEqual([NOW, NOW, null, null]);
    expect(outcome.resolved).toEqual([]);
    expect(outcome.due).toEqual([]);
  });

  it('opens a liquidation_risk at each of five falls below 1, and resolves the one before it', () => {
    const falls = Array.from({ length: 5 }, (): Band[] => ['critical', 'liquidatable']).flat();
    const outcome = evaluate(falls);
    const opened = 'active liquidation_risk';
    const again = ['updated liquidation_risk', 'resolved liquidation_risk', opened];
    expect(notified(outcome)).toEqual([
      opened,
      'resolved liquidation_risk',
      opened,
      ...Array.from({ length: 4 }, () => again).flat(),
    ]);
    const resolved = outcome.events.filter(({ value }) => value.status === 'resolved');
    for (const { value } of resolved) {
      expect(value.resolveReason).toBe('escalated');
      expect(outcome.opened.some(({ id }) => id === value.escalatedTo)).toBe(true);
    }
  });

  it('delays figures until the minute is over, and drops them when the last state of the batch is safe', () => {
    const known = evaluate(['high']).opened;
    const later = { healthFactor: 1.15, healthFactorRaw: '1150000000000000000' };
    const evaluator = new PositionEvaluator(
      { alerts: known, watchers, preferences: new Map(), rules: new RuleIndex([]), prices: {} },
      { nowMs: NOW + 1_000, newId: (prefix) => derivedId(prefix, (made += 1)) },
    );
    evaluator.evaluate({
      ...state('high', 2),
      position: positionState(samplePosition(WALLET, 2, 'high', later)),
    });
    expect(evaluator.outcome.events).toEqual([]);
    expect(evaluator.outcome.due.map(({ accountId, dueAtMs }) => [accountId, dueAtMs])).toEqual(
      ACCOUNTS.map((account) => [account, NOW + 60_000]),
    );
    evaluator.evaluate(state('low', 3));
    expect(evaluator.outcome.due).toEqual([]);
  });

  it("opens no alert on an account's dust, and treats no position without a value in USD as dust", () => {
    const dust = { totalCollateralUsd: 0.02, totalDebtUsd: 0.01 };
    const opened = (over: Partial<PositionV1>): number => {
      const evaluator = new PositionEvaluator(
        { alerts: [], watchers, preferences: new Map(), rules: new RuleIndex([]), prices: {} },
        { nowMs: NOW, newId: (prefix) => derivedId(prefix, (made += 1)) },
      );
      const position = positionState(samplePosition(WALLET, 1, 'critical', { ...dust, ...over }));
      evaluator.evaluate({ ...state('critical', 1), position });
      return evaluator.outcome.opened.length;
    };
    expect(opened({})).toBe(0);
    expect(opened({ totalDebtUsd: 10 })).toBe(2);
    expect(opened({ totalCollateralUsd: 0, totalDebtUsd: 0, usdPerBaseRaw: '0' })).toBe(2);
  });

  it('resolves the alert of an account that no longer watches', () => {
    const known = evaluate(['high']).opened.map((alert) => ({ ...alert }));
    const outcome = evaluate(['high'], known, new Map());
    expect(notified(outcome)).toEqual(['resolved health_factor_warning']);
    expect(outcome.resolved).toEqual(known);
  });

  it('builds events that fit their topics, and never two active danger alerts', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...BANDS), { maxLength: 12 }), (bands) => {
        const outcome = evaluate(bands);
        const active = new Map<string, number>();
        for (const { topic, value } of outcome.events) {
          expect(EVENTS[topic].explain(value)).toBe('');
          if (topic === 'alert-change.v1') continue;
          const key = value.accountId;
          const count = (active.get(key) ?? 0) + (value.status === 'active' ? 1 : -1);
          expect([0, 1]).toContain(count);
          active.set(key, count);
        }
      }),
    );
  });

  it('has the same result in one batch as in two', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...BANDS), { minLength: 1, maxLength: 10 }),
        fc.nat(),
        (bands, seed) => {
          const cut = seed % bands.length;
          const first = evaluate(bands.slice(0, cut));
          const second = evaluate(bands.slice(cut), first.opened);
          expect([...notified(first), ...notified(second)]).toEqual(notified(evaluate(bands)));
        },
      ),
    );
  });

  describe('with rules', () => {
    const rule = (number: number, over: Partial<Rule> = {}): Rule => ({
      id: derivedId('rule', number),
      accountId: ACCOUNTS[0]!,
      positionId: samplePosition(WALLET, 1, 'low').id,
      name: `Rule ${number}`,
      conditionType: 'health_factor_below',
      conditionValue: 1.5,
      asset: null,
      actionType: 'alert',
      webhookId: null,
      isEndpointDeleted: false,
      deleverage: null,
      mayExecute: true,
      isActive: true,
      createdAtMs: NOW,
      updatedAtMs: NOW,
      ...over,
    });
    const fired = (rules: Rule[], bands: Band[], known: PositionAlert[] = []) =>
      evaluate(bands, known, new Map(), rules);

    it('fires for an account that does not watch the wallet, and runs its action once', () => {
      const { events, executions, opened } = fired([rule(1)], ['high', 'high']);
      expect(events).toHaveLength(1);
      expect(events[0]?.value).toMatchObject({
        status: 'active',
        type: 'rule_triggered',
        severity: 'medium',
        ruleId: rule(1).id,
      });
      expect(events[0]?.value).not.toHaveProperty('targetWebhookId');
      expect(executions).toEqual([
        expect.objectContaining({ alertId: opened[0]?.id, status: 'completed', finishedAtMs: NOW }),
      ]);
    });

    it('sends a webhook action only to its endpoint, and waits for the delivery of that event', () => {
      const webhookId = derivedId('wh', 1);
      const { events, executions } = fired([rule(1, { actionType: 'webhook', webhookId })], ['high', 'low']);
      expect(events.map(({ value }) => [value.status, value.targetWebhookId])).toEqual([
        ['active', webhookId],
        ['resolved', webhookId],
      ]);
      expect(executions).toEqual([
        expect.objectContaining({
          webhookId,
          eventId: events[0]?.eventId,
          status: 'pending',
          finishedAtMs: null,
        }),
      ]);
    });

    const DELEVERAGE = {
      targetHealthFactor: 1.8,
      strategy: 'flash_loan_unwind',
      maxSlippageBps: 60,
      dryRun: false,
      place: { protocol: 'aave-v3', chainId: 1, market: 'main', wallet: WALLET },
    } as const;

    it('requests a deleverage once, under the id of its execution', () => {
      const asking = rule(1, { actionType: 'deleverage', deleverage: DELEVERAGE });
      const { events, executions, requests } = fired([asking], ['high', 'critical', 'high']);
      expect(events[0]?.value).not.toHaveProperty('targetWebhookId');
      expect(executions).toEqual([expect.objectContaining({ status: 'pending', finishedAtMs: null })]);
      const { place, ...asked } = DELEVERAGE;
      expect(requests.map(({ value }) => value)).toEqual([
        {
          executionId: executions[0]?.id,
          accountId: asking.accountId,
          ruleId: asking.id,
          position: { id: asking.positionId, ...place },
          ...asked,
          triggeredAt: new Date(NOW).toISOString(),
          deadline: new Date(NOW + 600_000).toISOString(),
        },
      ]);
      expect(EVENTS['automation.v1'].explain(requests[0]?.value)).toBe('');
    });

    it("requests none while the account's tier has no executions", () => {
      const resting = { actionType: 'deleverage', deleverage: DELEVERAGE, mayExecute: false } as const;
      const { executions, requests } = fired([rule(1, resting)], ['high']);
      expect(requests).toEqual([]);
      expect(executions).toEqual([expect.objectContaining({ status: 'skipped', finishedAtMs: NOW })]);
    });

    it('has the receipt of the very change that fired it, and only for a health factor', () => {
      const receipts = (receiptSequence: number, over: Partial<Rule> = {}) => {
        const receiptHash = 'cd'.repeat(32);
        const evaluator = new PositionEvaluator(
          {
            alerts: [],
            watchers: new Map(),
            preferences: new Map(),
            rules: new RuleIndex([rule(1, over)]),
            prices: {},
          },
          { nowMs: NOW, newId: (prefix) => derivedId(prefix, (made += 1)) },
        );
        const position = positionState(samplePosition(WALLET, 2, 'high', { receiptHash, receiptSequence }));
        evaluator.evaluate({ ...state('high', 2), position });
        return evaluator.outcome.events.map(({ value }) => value.content?.receiptHash);
      };
      expect(receipts(2)).toEqual(['cd'.repeat(32)]);
      expect(receipts(1)).toEqual([null]);
      expect(receipts(2, { conditionType: 'ltv_above', conditionValue: 0.1 })).toEqual([null]);
    });

    it('separates two rules of an account on a position', () => {
      const rules = [rule(1), rule(2, { conditionValue: 1.1 })];
      const outcome = fired(rules, ['high', 'critical', 'high', 'low']);
      expect(outcome.events.map(({ value }) => `${value.status} ${value.ruleId}`)).toEqual([
        `active ${rule(1).id}`,
        `active ${rule(2).id}`,
        `resolved ${rule(2).id}`,
        `resolved ${rule(1).id}`,
      ]);
    });

    it('evaluates only the rules of the position', () => {
      expect(fired([rule(1, { positionId: derivedId('pos', 'other') })], ['liquidatable']).events).toEqual(
        [],
      );
    });

    it('resolves the alert of a rule that is switched off', () => {
      const known = fired([rule(1)], ['high']).opened.map((alert) => ({ ...alert }));
      const { events } = fired([rule(1, { isActive: false })], ['high'], known);
      expect(events.map(({ value }) => value.status)).toEqual(['resolved']);
    });
  });
});
