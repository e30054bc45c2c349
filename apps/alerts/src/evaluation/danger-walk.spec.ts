import {
  type AlertPreferences,
  type Band,
  EVENTS,
  type PositionV1,
  bandRank,
  derivedId,
} from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import fc from 'fast-check';
import { stablePair } from '../../test/samples';
import { type Step, anyMarketPrice, anyStep, walk } from '../../test/walk';
import { type PositionAlert, alertKey } from '../lifecycle/alert';
import type { AlertEvent } from '../lifecycle/alert-event';
import { DROP_WINDOW_MS } from '../positions/collateral-drop';
import { isDanger, isDangerType } from '../positions/danger-level';
import type { Evaluation } from '../positions/evaluation';
import { freshStates } from '../positions/fresh-states';
import { type PositionState, positionState } from '../positions/position-state';
import { RuleIndex } from '../sources/rule/rule';
import { PositionEvaluator } from './position-evaluator';

const START = 1_800_000_000_000;
const WALLET = sampleWallet(1);
const WATCHER = derivedId('acc', 1);
const STRANGER = derivedId('acc', 2);

/** The alerts service in memory. It keeps only what the real one stores between two batches. */
class Service {
  states = new Map<string, PositionState>();
  rows = new Map<string, PositionAlert>();
  nowMs = START;
  /** Fresh market prices. */
  prices: Record<string, number> = {};
  private made = 0;

  /** A price is stale after this many of its heartbeats without price.v1. */
  handle(events: readonly PositionV1[], preferences: AlertPreferences | null = null): AlertEvent[] {
    const received = events.map((value, at) => ({
      id: `evt_${at}`,
      key: value.id,
      value,
      time: this.nowMs,
      offset: '0',
      partition: 0,
    }));
    const { evaluations, latest } = freshStates(received, this.states);
    const published = this.evaluate(evaluations, preferences);
    for (const state of latest) this.states.set(state.id, state);
    return published;
  }

  evaluate(evaluations: readonly Evaluation[], preferences: AlertPreferences | null = null): AlertEvent[] {
    const known = [...this.rows.values()].filter(
      ({ resolvedAtMs }) => resolvedAtMs === null || resolvedAtMs > this.nowMs - DROP_WINDOW_MS,
    );
    const evaluator = new PositionEvaluator(
      {
        alerts: JSON.parse(JSON.stringify(known)) as PositionAlert[],
        watchers: new Map([[WALLET, new Map([[WATCHER, null]])]]),
        preferences: new Map(preferences ? [[WATCHER, preferences]] : []),
        rules: new RuleIndex([]),
        prices: this.prices,
      },
      { nowMs: this.nowMs, newId: (prefix) => derivedId(prefix, (this.made += 1)) },
    );
    for (const evaluation of evaluations) evaluator.evaluate(evaluation);
    const { opened, resolved, changed, events } = evaluator.outcome;
    for (const alert of [...opened, ...resolved, ...changed])
      this.rows.set(alert.id, JSON.parse(JSON.stringify(alert)) as PositionAlert);
    return events;
  }

  /** Handles a price.v1 event: evaluates the affected positions again, from stored rows. */
  price(prices: Record<string, number>): AlertEvent[] {
    this.prices = prices;
    return this.evaluate(
      [...this.states.values()].map((position) => ({
        position,
        previous: null,
        atMs: this.nowMs,
        ageBlocks: 0,
        cause: {},
      })),
    );
  }

  restart(): void {
    this.states = new Map(JSON.parse(JSON.stringify([...this.states])) as [string, PositionState][]);
  }

  get active(): PositionAlert[] {
    return [...this.rows.values()].filter(({ resolvedAtMs }) => resolvedAtMs === null);
  }
}

/** Returns whether an event reports that the position entered a level. */
const isNotice = ({ topic, value }: AlertEvent): boolean =>
  topic === 'alert.v1' ? value.status === 'active' : value.change === 'escalated';

/** Returns the level of a stable pair whose oracle prices are 1 USD, by the documented rule. */
function expectedLevel(healthFactor: number | null, usdc: number | null, open: Band): Band {
  if (healthFactor === null) return 'none';
  if (healthFactor < 1) return 'liquidatable';
  if (usdc === null || healthFactor === 1) return 'low';
  const covered = (1 - usdc) / (1 - 1 / healthFactor);
  if (covered >= (bandRank(open) >= bandRank('critical') ? 0.8 : 1)) return 'critical';
  return covered >= (isDanger(open) ? 0.4 : 0.5) ? 'high' : 'low';
}

describe('danger alerts over random walks', () => {
  it('notify every downward crossing within its block, exactly once, and keep one alert active', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 60 }), (steps) => {
        const service = new Service();
        let level: PositionState['level'] = 'none';
        const resolvedIds = new Set<string>();
        const revisions = new Map<string, number>();
        for (const {
          event,
          step: { laterMs, restarts, repeats },
        } of walk(WALLET, steps)) {
          service.nowMs += laterMs;
          if (restarts) service.restart();
          const events = service.handle(repeats ? [event, event] : [event]);
          const now = positionState(event).level;
          const crossed = isDanger(now) && bandRank(now) > bandRank(level);
          const notices = events.filter(isNotice);
          expect(notices).toHaveLength(crossed ? 1 : 0);
          for (const { value } of notices) expect(value.level).toBe(now);
          if (crossed && now === 'liquidatable')
            expect(notices[0]).toMatchObject({
              topic: 'alert.v1',
              value: {
                type: 'liquidation_risk',
                severity: 'critical',
                position: { healthFactor: event.healthFactor },
              },
            });
          for (const { topic, value } of events) {
            expect(EVENTS[topic].explain(value)).toBe('');
            expect(value.accountId).toBe(WATCHER);
            expect(value.revision).toBeGreaterThan(revisions.get(value.alertId) ?? 0);
            revisions.set(value.alertId, value.revision ?? 0);
            expect(Date.parse(value.updatedAt ?? '')).toBe(service.rows.get(value.alertId)?.updatedAtMs);
            if (value.status === 'resolved') expect(resolvedIds.has(value.alertId)).toBe(false);
            if (value.status === 'resolved') resolvedIds.add(value.alertId);
          }
          expect(service.active).toHaveLength(isDanger(now) ? 1 : 0);
          for (const alert of service.active) expect(alert.level).toBe(now);
          level = now;
        }
        for (const id of service.rows.keys())
          expect(resolvedIds.has(id)).toBe(service.rows.get(id)?.resolvedAtMs !== null);
      }),
      { numRuns: 500 },
    );
  });

  it('have the same result in one batch as one by one', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 20 }), (steps) => {
        const events = [...walk(WALLET, steps)].map(({ event }) => event);
        const together = new Service();
        const singly = new Service();
        const visible = (published: AlertEvent[]): unknown[] =>
          published.map(({ topic, value, text }) => [
            topic,
            value.alertId,
            value.severity,
            value.level,
            text,
          ]);
        expect(visible(events.flatMap((event) => singly.handle([event])))).toEqual(
          visible(together.handle(events)),
        );
      }),
    );
  });

  it('retract what a reorg reverts, and only that', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 60 }), (steps) => {
        const service = new Service();
        for (const { event } of walk(WALLET, steps)) {
          const before = new Map([...service.rows].map(([id, row]) => [id, row]));
          for (const { value } of service.handle([event])) {
            if (value.status !== 'resolved' || value.resolveReason === 'escalated') continue;
            const openedAt = before.get(value.alertId)?.openedAt?.number ?? Infinity;
            const isUndone = event.orphanedFrom !== undefined && event.orphanedFrom <= openedAt;
            expect(value.resolveReason).toBe(isUndone ? 'retracted' : 'recovered');
          }
        }
      }),
    );
  });

  it('notify every fall by a block or by a depeg exactly once, and end with it', () => {
    const pairWalk = (steps: readonly Step[]): PositionV1[] =>
      [...walk(WALLET, steps)].map(({ event }, at) => ({
        ...event,
        legs: stablePair(WALLET, at + 1).legs,
        // The sides are correlated, so the band follows a probability. It is low at any health factor of 1 or
        // more.
        band: event.healthFactor !== null && event.healthFactor < 1 ? 'liquidatable' : 'low',
      }));
    const moves = fc.array(fc.tuple(anyStep, fc.array(anyMarketPrice, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(moves, (all) => {
        const service = new Service();
        let level: Band = 'none';
        const events = pairWalk(all.map(([step]) => step));
        const check = (published: AlertEvent[], healthFactor: number | null): void => {
          const now = expectedLevel(healthFactor, service.prices['USDC'] ?? null, level);
          const crossed = isDanger(now) && bandRank(now) > bandRank(level);
          expect(published.filter(isNotice).map(({ value }) => value.level)).toEqual(crossed ? [now] : []);
          expect(service.active.map((alert) => alert.level)).toEqual(isDanger(now) ? [now] : []);
          for (const { topic, value } of published) expect(EVENTS[topic].explain(value)).toBe('');
          level = now;
        };
        for (const [at, event] of events.entries()) {
          const [step, prices] = all[at]!;
          service.nowMs += step.laterMs;
          if (step.restarts) service.restart();
          check(service.handle([event]), event.healthFactor);
          for (const usdc of prices)
            check(service.price({ DAI: 1, ...(usdc !== null && { USDC: usdc }) }), event.healthFactor);
        }
        // Without a fresh price, only the contract's own figure keeps an alert open.
        check(service.price({}), events.at(-1)?.healthFactor ?? null);
      }),
      { numRuns: 500 },
    );
  });

  it('notify no account that does not watch, and resolve its alert once', () => {
    const service = new Service();
    const event = samplePosition(WALLET, 1, 'critical');
    service.handle([event]);
    const [mine] = service.active;
    const theirs = { ...mine, id: derivedId('alt', 'stranger'), accountId: STRANGER } as PositionAlert;
    service.rows.set(theirs.id, theirs);
    const events = service.handle([samplePosition(WALLET, 2, 'liquidatable')]);
    expect(events.filter(({ value }) => value.accountId === STRANGER).map(({ value }) => value)).toEqual([
      expect.objectContaining({ alertId: theirs.id, status: 'resolved', resolveReason: 'unwatched' }),
    ]);
    expect(
      service
        .handle([samplePosition(WALLET, 3, 'critical')])
        .every(({ value }) => value.accountId === WATCHER),
    ).toBe(true);
  });

  it('resolve the milder of two alerts that an earlier release left open', () => {
    const service = new Service();
    service.handle([samplePosition(WALLET, 1, 'critical')]);
    const [risk] = service.active;
    const legacy = { level: null, healthFactor: null, openedAt: null, worsenedAt: null };
    const warning = {
      ...risk,
      ...legacy,
      id: derivedId('alt', 'w'),
      type: 'health_factor_warning',
    } as PositionAlert;
    service.rows.set(warning.id, warning);
    service.rows.set(String(risk?.id), { ...risk, ...legacy } as PositionAlert);
    const events = service.handle([samplePosition(WALLET, 2, 'critical', { healthFactor: 1.02 })]);
    expect(events.map(({ value }) => [value.alertId, value.resolveReason, value.escalatedTo])).toEqual([
      [warning.id, 'escalated', risk?.id],
    ]);
    expect(service.active.map(({ id }) => id)).toEqual([risk?.id]);
    expect(service.active.filter(({ type }) => isDangerType(type)).map(alertKey)).toEqual(['danger']);
  });
});
