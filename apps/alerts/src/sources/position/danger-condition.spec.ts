import { type Band } from '@plimsoll/contracts';
import { COOLDOWN_MS } from '../../lifecycle/alert';
import {
  type DangerAction,
  type DangerInput,
  type DangerMemory,
  UPDATE_EVERY_MS,
  evaluateDanger,
} from './danger-condition';

const NOW = 1_800_000_000_000;
const HEALTH_FACTORS: Record<Band, number | null> = {
  none: null,
  low: 3,
  moderate: 1.4,
  high: 1.2,
  critical: 1.05,
  liquidatable: 0.97,
};

const at = (level: Band, over: Partial<DangerInput> = {}): DangerInput => ({
  level,
  healthFactor: HEALTH_FACTORS[level],
  depegUsd: null,
  closed: false,
  watched: true,
  isDust: false,
  orphanedFrom: null,
  ...over,
});
const idle: DangerMemory = { active: null, lastResolved: null };
const open = (level: Band, over: Partial<NonNullable<DangerMemory['active']>> = {}): DangerMemory => ({
  active: {
    level,
    healthFactor: HEALTH_FACTORS[level],
    depegUsd: null,
    updatedAtMs: NOW - 1_000,
    openedBlock: 100,
    worsenedBlock: 100,
    ...over,
  },
  lastResolved: null,
});
const resolved = (level: Band, agoMs: number): DangerMemory => ({
  active: null,
  lastResolved: { level, resolvedAtMs: NOW - agoMs },
});
const evaluate = (position: DangerInput, memory: DangerMemory): DangerAction | null =>
  evaluateDanger(position, memory, NOW);

describe('evaluateDanger', () => {
  it.each<[Band, DangerAction | null]>([
    ['none', null],
    ['low', null],
    ['moderate', null],
    ['high', { kind: 'open', type: 'health_factor_warning', severity: 'high' }],
    ['critical', { kind: 'open', type: 'liquidation_risk', severity: 'critical' }],
    ['liquidatable', { kind: 'open', type: 'liquidation_risk', severity: 'critical' }],
  ])('opens at level %s: %j', (level, expected) => expect(evaluate(at(level), idle)).toEqual(expected));

  it('escalates the open alert from high to critical', () => {
    expect(evaluate(at('critical'), open('high'))).toEqual({ kind: 'escalate', severity: 'critical' });
  });

  it.each<Band>(['high', 'critical'])(
    'replaces an alert at %s when the health factor falls below 1',
    (level) => {
      const expected = { kind: 'replace', type: 'liquidation_risk', severity: 'critical' };
      expect(evaluate(at('liquidatable'), open(level))).toEqual(expected);
    },
  );

  it.each<[Band, Band, 'high' | 'critical']>([
    ['liquidatable', 'critical', 'critical'],
    ['liquidatable', 'high', 'high'],
    ['critical', 'high', 'high'],
  ])('keeps the alert from %s to %s, milder, immediately', (from, to, severity) => {
    const expected = { kind: 'update', severity, isRetracted: false };
    expect(evaluate(at(to), open(from, { updatedAtMs: NOW }))).toEqual(expected);
  });

  it('resolves with the reason', () => {
    const reason = (over: Partial<DangerInput>, level: Band = 'critical') =>
      evaluate(at(level, over), open('critical'));
    expect(reason({}, 'moderate')).toEqual({ kind: 'resolve', reason: 'recovered' });
    expect(reason({ closed: true }, 'none')).toEqual({ kind: 'resolve', reason: 'closed' });
    expect(reason({ watched: false })).toEqual({ kind: 'resolve', reason: 'unwatched' });
    expect(reason({ isDust: true })).toEqual({ kind: 'resolve', reason: 'dust' });
  });

  it('opens nothing for dust, and nothing for an account that does not watch', () => {
    expect(evaluate(at('liquidatable', { isDust: true }), idle)).toBeNull();
    expect(evaluate(at('liquidatable', { watched: false }), idle)).toBeNull();
  });

  describe('after a reorg', () => {
    it('retracts an alert whose block was replaced and whose condition is no longer met', () => {
      const retracted = { kind: 'resolve', reason: 'retracted' };
      expect(evaluate(at('moderate', { orphanedFrom: 100 }), open('high'))).toEqual(retracted);
      expect(evaluate(at('none', { orphanedFrom: 99, closed: true }), open('high'))).toEqual(retracted);
    });

    it('reports recovered when the block that opened it remains', () => {
      const expected = { kind: 'resolve', reason: 'recovered' };
      expect(evaluate(at('moderate', { orphanedFrom: 101 }), open('high'))).toEqual(expected);
      const unknown = open('high', { openedBlock: null });
      expect(evaluate(at('moderate', { orphanedFrom: 1 }), unknown)).toEqual(expected);
    });

    it('reverts an escalation', () => {
      const escalated = open('critical', { openedBlock: 90, worsenedBlock: 100 });
      const expected = { kind: 'update', severity: 'high', isRetracted: true };
      expect(evaluate(at('high', { orphanedFrom: 95 }), escalated)).toEqual(expected);
    });

    it('does not notify twice when the new block has the same crossing', () => {
      expect(evaluate(at('liquidatable', { orphanedFrom: 1 }), open('liquidatable'))).toBeNull();
    });
  });

  describe('updates', () => {
    const later = (healthFactor: number, agoMs: number) =>
      evaluate(at('high', { healthFactor }), open('high', { updatedAtMs: NOW - agoMs }));

    it('publishes another figure a minute after the last change, not earlier', () => {
      const expected = { kind: 'update', severity: 'high', isRetracted: false };
      expect(later(1.15, UPDATE_EVERY_MS)).toEqual(expected);
      expect(later(1.15, UPDATE_EVERY_MS - 1)).toEqual({ kind: 'wait', dueAtMs: NOW + 1 });
    });

    it('publishes nothing below one basis point', () => {
      expect(later(1.2 * 1.000_09, UPDATE_EVERY_MS)).toBeNull();
      expect(later(1.2 * 1.000_11, UPDATE_EVERY_MS)).not.toBeNull();
    });
  });

  describe('within the cooldown', () => {
    it('waits after an alert that resolved at the same level, and opens exactly at the end of the cooldown', () => {
      const waits = { kind: 'wait', dueAtMs: NOW - 1_000 + COOLDOWN_MS };
      expect(evaluate(at('high'), resolved('high', 1_000))).toEqual(waits);
      expect(evaluate(at('high'), resolved('high', COOLDOWN_MS))).toMatchObject({ kind: 'open' });
    });

    it('reports immediately that a position entered a worse level than the one at which the last alert resolved', () => {
      expect(evaluate(at('high'), resolved('moderate', 0))).toMatchObject({ kind: 'open' });
      expect(evaluate(at('critical'), resolved('high', 0))).toMatchObject({ kind: 'open' });
    });

    it('reports immediately below a health factor of 1', () => {
      expect(evaluate(at('liquidatable'), resolved('liquidatable', 0))).toMatchObject({ kind: 'open' });
    });
  });
});
