import { COOLDOWN_MS } from '../../lifecycle/alert';
import type { AlertMemory } from '../../lifecycle/known-alerts';
import { type Condition, type ConditionFigures, judge } from './condition';

/** A position as rules evaluate it. */
export interface RuleInput extends ConditionFigures {
  closed: boolean;
}

export type ClearReason = 'recovered' | 'closed' | 'rule_off';

export type RuleAction =
  | { kind: 'fire'; value: number }
  | { kind: 'clear'; reason: ClearReason; value: number | null }
  /** Would fire, but cools down: to be evaluated again at `dueAtMs`. */
  | { kind: 'wait'; dueAtMs: number };

/**
 * Returns what a rule does for its position in its present state, or null.
 * @param nowMs milliseconds since 1970
 */
export function evaluateRule(
  rule: Condition & { isActive: boolean },
  position: RuleInput,
  memory: AlertMemory,
  nowMs: number,
): RuleAction | null {
  const { verdict, value } = judge(rule, position);
  if (memory.isActive) {
    const reason = reasonToClear(rule.isActive, position.closed, verdict);
    return reason && { kind: 'clear', reason, value };
  }
  if (!rule.isActive || position.closed || verdict !== 'met' || value === null) return null;
  const dueAtMs = memory.lastResolvedAtMs === null ? nowMs : memory.lastResolvedAtMs + COOLDOWN_MS;
  return nowMs < dueAtMs ? { kind: 'wait', dueAtMs } : { kind: 'fire', value };
}

function reasonToClear(
  isRuleActive: boolean,
  isClosed: boolean,
  verdict: ReturnType<typeof judge>['verdict'],
): ClearReason | null {
  if (!isRuleActive) return 'rule_off';
  if (isClosed) return 'closed';
  return verdict === 'cleared' ? 'recovered' : null;
}
