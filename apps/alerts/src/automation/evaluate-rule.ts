import { COOLDOWN_MS } from '../evaluation/cooldown';
import { type Condition, type ConditionFigures, judge } from './condition';

/** A position as far as rules look at it. */
export interface RuleInput extends ConditionFigures {
  closed: boolean;
}

/** What is known of one rule. */
export interface RuleMemory {
  /** It has fired and not cleared since. */
  isActive: boolean;
  /** When it last cleared, milliseconds since 1970; null when that could not matter any more. */
  lastClearedAtMs: number | null;
}

export type ClearReason = 'recovered' | 'closed' | 'rule_off';

export type RuleAction =
  | { kind: 'fire'; value: number }
  | { kind: 'clear'; reason: ClearReason; value: number | null }
  /** Would fire, but cools down: to be looked at again at `dueAtMs`. */
  | { kind: 'wait'; dueAtMs: number };

/**
 * What a rule does about its position in its present state; null: nothing.
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
