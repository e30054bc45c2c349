import fc from 'fast-check';
import { COOLDOWN_MS } from '../../lifecycle/alert';
import type { AlertMemory } from '../../lifecycle/known-alerts';
import { type RuleInput, evaluateRule } from './evaluate-rule';

const NOW = 1_800_000_000_000;
const rule = {
  conditionType: 'health_factor_below' as const,
  conditionValue: 1.2,
  asset: null,
  isActive: true,
};
const at = (healthFactor: number | null, over: Partial<RuleInput> = {}): RuleInput => ({
  healthFactor,
  collateralUsd: 1_000,
  debtUsd: 500,
  prices: {},
  riskScore: null,
  liquidationProbability: null,
  closed: false,
  ...over,
});
const idle: AlertMemory = { isActive: false, lastResolvedAtMs: null };
const fired: AlertMemory = { isActive: true, lastResolvedAtMs: null };

describe('evaluateRule', () => {
  it('fires once when the threshold is crossed', () => {
    expect(evaluateRule(rule, at(1.2), idle, NOW)).toBeNull();
    expect(evaluateRule(rule, at(1.19), idle, NOW)).toEqual({ kind: 'fire', value: 1.19 });
    expect(evaluateRule(rule, at(1.1), fired, NOW)).toBeNull();
  });

  it('clears only beyond the margin', () => {
    expect(evaluateRule(rule, at(1.21), fired, NOW)).toBeNull();
    expect(evaluateRule(rule, at(1.23), fired, NOW)).toMatchObject({ kind: 'clear', reason: 'recovered' });
  });

  it('waits for the end of the cooldown, and fires exactly then', () => {
    const cleared = (agoMs: number): AlertMemory => ({ isActive: false, lastResolvedAtMs: NOW - agoMs });
    expect(evaluateRule(rule, at(1), cleared(1_000), NOW)).toEqual({
      kind: 'wait',
      dueAtMs: NOW - 1_000 + COOLDOWN_MS,
    });
    expect(evaluateRule(rule, at(1), cleared(COOLDOWN_MS), NOW)?.kind).toBe('fire');
  });

  it.each([
    ['closed', rule, at(1, { closed: true })],
    ['rule_off', { ...rule, isActive: false }, at(1)],
  ] as const)('clears when %s, and does not fire then', (reason, changed, position) => {
    expect(evaluateRule(changed, position, fired, NOW)).toMatchObject({ kind: 'clear', reason });
    expect(evaluateRule(changed, position, idle, NOW)).toBeNull();
  });

  it('neither fires nor clears on an unknown price', () => {
    const onPrice = { ...rule, conditionType: 'price_below' as const, asset: 'LINK' };
    expect([fired, idle].map((memory) => evaluateRule(onPrice, at(1), memory, NOW))).toEqual([null, null]);
  });

  it('alternates fires and clears over any course of a position, with a cooldown after each clear', () => {
    const steps = fc.array(
      fc.record({
        healthFactor: fc.option(fc.double({ min: 1, max: 1.5, noNaN: true })),
        closed: fc.boolean(),
        laterMs: fc.integer({ min: 1, max: COOLDOWN_MS }),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (course) => {
        let nowMs = NOW;
        let memory = idle;
        for (const { healthFactor, closed, laterMs } of course) {
          nowMs += laterMs;
          const action = evaluateRule(rule, at(healthFactor, { closed }), memory, nowMs);
          if (action?.kind === 'fire') {
            expect(memory.isActive).toBe(false);
            expect(nowMs - (memory.lastResolvedAtMs ?? 0)).toBeGreaterThanOrEqual(COOLDOWN_MS);
            memory = { ...memory, isActive: true };
          } else if (action?.kind === 'clear') {
            expect(memory.isActive).toBe(true);
            memory = { isActive: false, lastResolvedAtMs: nowMs };
          }
          // The same state at the same time changes nothing.
          expect(['wait', undefined]).toContain(
            evaluateRule(rule, at(healthFactor, { closed }), memory, nowMs)?.kind,
          );
        }
      }),
    );
  });
});
