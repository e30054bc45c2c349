import { type Band, EVENTS, derivedId } from '@plimsoll/contracts';
import { stateOf } from '../../test/golden-scenes';
import type { PositionAlert } from '../lifecycle/alert';
import type { AlertEvent } from '../lifecycle/alert-event';
import type { PositionState } from '../positions/position-state';
import { RuleIndex } from '../sources/rule/rule';
import { PositionEvaluator } from './position-evaluator';

const ACCOUNT = derivedId('acc', 1);
/** Health factor 1.01: the distance to liquidation is 1 − 1/1.01, 0.990 %. */
const pair = (usdc = 10_100, band: Band = 'low'): PositionState =>
  stateOf({ USDC: { amount: usdc, bps: 9_000 } }, { DAI: 9_000 }, band);

/** The alerts of one account between evaluations. Only stored rows are kept, as after a restart. */
class Account {
  private rows: PositionAlert[] = [];
  private nowMs = 1_800_000_000_000;
  private made = 0;

  at(prices: Record<string, number>, position = pair(), laterMs = 1_000): AlertEvent[] {
    this.nowMs += laterMs;
    const evaluator = new PositionEvaluator(
      {
        alerts: JSON.parse(JSON.stringify(this.rows)) as PositionAlert[],
        watchers: new Map([[position.wallet, new Map([[ACCOUNT, null]])]]),
        preferences: new Map(),
        rules: new RuleIndex([]),
        prices,
      },
      { nowMs: this.nowMs, newId: (prefix) => derivedId(prefix, (this.made += 1)) },
    );
    evaluator.evaluate({ position, previous: null, atMs: this.nowMs, ageBlocks: 0, cause: {} });
    const { opened, changed, resolved, events } = evaluator.outcome;
    const moved = new Map([...opened, ...changed, ...resolved].map((alert) => [alert.id, alert]));
    this.rows = [...this.rows.filter(({ id }) => !moved.has(id)), ...moved.values()];
    for (const { topic, value } of events) expect(EVENTS[topic].explain(value)).toBe('');
    return events;
  }

  usdc(priceUsd: number): AlertEvent[] {
    return this.at({ USDC: priceUsd, DAI: 1 });
  }

  get active(): PositionAlert[] {
    return this.rows.filter(({ resolvedAtMs }) => resolvedAtMs === null);
  }
}

const shown = (events: readonly AlertEvent[]): unknown[] =>
  events.map(({ value, text }) => [
    'change' in value ? value.change : value.status,
    value.type,
    value.severity,
    value.level,
    text,
  ]);

describe('alerts about a depeg', () => {
  it('follow the market price of a USDC/DAI pair at a health factor of 1.010', () => {
    const account = new Account();
    expect(account.usdc(1)).toEqual([]);
    expect(account.usdc(0.9951)).toEqual([]);
    const opened = account.usdc(0.995);
    expect(shown(opened)).toEqual([['active', 'health_factor_warning', 'high', 'high', 'opened.depeg']]);
    expect(opened[0]?.value).toMatchObject({
      position: { healthFactor: 1.01, band: 'low' },
      content: {
        healthFactor: { now: 1.01, threshold: null },
        cause: {
          kind: 'depeg',
          asset: 'USDC',
          changePercent: expect.closeTo(-0.5, 9),
          fromUsd: 1,
          toUsd: 0.995,
        },
      },
    });
    expect(shown(account.usdc(0.99))).toEqual([
      ['escalated', 'health_factor_warning', 'critical', 'critical', 'escalated.depeg'],
    ]);
    expect(shown(account.usdc(1))).toEqual([
      ['resolved', 'health_factor_warning', 'critical', 'low', 'resolved.depeg'],
    ]);
    expect(account.active).toEqual([]);
  });

  it('opens as critical immediately when the market jumps over the whole distance', () => {
    expect(shown(new Account().usdc(0.98))).toEqual([
      ['active', 'liquidation_risk', 'critical', 'critical', 'opened.depeg'],
    ]);
  });

  it('keeps each level down to 80 % of its edge, so that a price at an edge is notified once', () => {
    const account = new Account();
    account.usdc(0.995);
    expect(account.usdc(0.9955)).toEqual([]);
    expect(account.usdc(0.995)).toEqual([]);
    account.usdc(0.99);
    expect(account.usdc(0.9905)).toEqual([]);
    expect(account.usdc(0.99)).toEqual([]);
    // 80 % of the distance is a deviation of 0.792 %.
    expect(shown(account.usdc(0.9922))).toEqual([
      ['updated', 'health_factor_warning', 'high', 'high', 'updated.depeg'],
    ]);
    expect(account.usdc(0.9961)).toHaveLength(1);
    expect(account.active).toEqual([]);
    // After it closed, it needs half of the distance again.
    expect(account.usdc(0.996)).toEqual([]);
  });

  it.each([
    ['missing', { DAI: 1 }],
    ['all missing', {}],
  ])('never opens with a market price that is %s, and resolves an open one', (_name, prices) => {
    const account = new Account();
    expect(account.at({ ...prices })).toEqual([]);
    account.usdc(0.98);
    const events = account.at({ ...prices });
    expect(shown(events)).toEqual([
      ['resolved', 'liquidation_risk', 'critical', 'low', 'resolved.depeg_unknown'],
    ]);
    expect(events[0]?.value.message).toContain('No fresh market price of USDC');
    expect(shown(account.usdc(0.98))).toHaveLength(1);
  });

  it('follows the contract: below 1 a new alert opens, and a worse band decides', () => {
    const account = new Account();
    account.usdc(0.995);
    const below = account.at({ USDC: 0.995, DAI: 1 }, pair(9_990, 'liquidatable'));
    expect(shown(below).map((each) => (each as unknown[])[4])).toEqual([
      'resolved.escalated',
      'opened.liquidatable',
    ]);
    const other = new Account();
    other.usdc(0.995);
    expect(shown(other.at({ USDC: 0.995, DAI: 1 }, pair(10_100, 'critical')))).toEqual([
      ['escalated', 'health_factor_warning', 'critical', 'critical', 'escalated.critical'],
    ]);
    // The band recovers, and the depeg keeps the alert open.
    expect(shown(other.at({ USDC: 0.995, DAI: 1 }))).toEqual([
      ['updated', 'health_factor_warning', 'high', 'high', 'updated.depeg'],
    ]);
    expect(shown(other.usdc(1))).toHaveLength(1);
  });

  it('publishes a further deviation at most once a minute', () => {
    const account = new Account();
    account.usdc(0.995);
    expect(account.usdc(0.994)).toEqual([]);
    expect(shown(account.at({ USDC: 0.994, DAI: 1 }, pair(), 60_000))).toEqual([
      ['updated', 'health_factor_warning', 'high', 'high', 'updated.depeg'],
    ]);
    expect(account.at({ USDC: 0.994, DAI: 1 }, pair(), 60_000)).toEqual([]);
  });
});
