import type { HistoricState } from '../history/market-history';
import type { Condition } from '../sources/rule/condition';
import { evaluateRule } from '../sources/rule/evaluate-rule';

/** One time at which a rule would have fired. Times are in milliseconds since 1970. */
export interface Firing {
  firedAtMs: number;
  block: number;
  value: number;
  /** Null when it did not clear within the history. */
  clearedAtMs: number | null;
}

/**
 * Returns when a rule would have fired over a position's past states, oldest first, with hysteresis and
 * cooldown.
 */
export function previewRule(condition: Condition, history: readonly HistoricState[]): Firing[] {
  const firings: Firing[] = [];
  const memory = { isActive: false, lastResolvedAtMs: null as number | null };
  const rule = { ...condition, isActive: true };
  for (const state of history) {
    const action = evaluateRule(rule, state, memory, state.atMs);
    if (action?.kind === 'fire') {
      memory.isActive = true;
      firings.push({ firedAtMs: state.atMs, block: state.block, value: action.value, clearedAtMs: null });
    } else if (action?.kind === 'clear') {
      memory.isActive = false;
      memory.lastResolvedAtMs = state.atMs;
      const last = firings.at(-1);
      if (last) last.clearedAtMs = state.atMs;
    }
  }
  return firings;
}
