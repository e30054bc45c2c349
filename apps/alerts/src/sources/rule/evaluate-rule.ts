import { COOLDOWN_MS } from '../../lifecycle/cooldown';
import { type Condition, type ConditionFigures, judge } from './condition';

/** A position as rules evaluate it. */
export interface RuleInput extends ConditionFigures {
  closed: boolean;
}

/** Stored state of one rule. */
export interface RuleMemory {
  /** The rule has fired and not cleared since. */
  isActive: boolean;
  /** When the rule last cleared, milliseconds since 1970. Null when the cooldown is certainly over. */
  lastClearedAtMs: number | null;
}

export type ClearReason = 'recovered' | 'closed' | 'rule_off';

export type RuleAction =
  | { kind: 'fire'; value: number }
  | { kind: 'clear'; reason: ClearReason; value: number | null }
  /** Would fire, but cools down: to be looked at again at `dueAtMs`. */
  | { kind: 'wait'; dueAtMs: number };

/**
 * Returns what a rule does for its position in its present state, or null.
 * @param nowMs milliseconds since 1970
 */
export function evaluateRule(
  rule: Condition & { isActive: boolean },
  position: RuleInput,
  memory: RuleMemory,
  nowMs: number,
): RuleAction | null {
  const { verdict, value } = judge(rule, position);
  if (memory.isActive) {
    const reason = reasonToClear(rule.isActive, position.closed, verdict);
    return reason && { kind: 'clear', reason, value };
  }
  if (!rule.isActive || position.closed || verdict !== 'met' || value === null) return null;
  const dueAtMs = memory.lastClearedAtMs === null ? nowMs : memory.lastClearedAtMs + COOLDOWN_MS;
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
