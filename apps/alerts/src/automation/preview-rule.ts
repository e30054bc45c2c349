import type { HistoricState } from '../history/historic-state';
import type { Condition } from './condition';
import { evaluateRule } from './evaluate-rule';

/** One time that a rule would have fired; times in milliseconds since 1970. */
export interface Firing {
  firedAtMs: number;
  block: number;
  value: number;
  /** Null: not within the history. */
  clearedAtMs: number | null;
}

/** When a rule would have fired over the states that a position had, oldest first: with hysteresis and cooldown. */
export function previewRule(condition: Condition, history: readonly HistoricState[]): Firing[] {
  const firings: Firing[] = [];
  const memory = { isActive: false, lastClearedAtMs: null as number | null };
  const rule = { ...condition, isActive: true };
  for (const state of history) {
    const action = evaluateRule(rule, state, memory, state.atMs);
    if (action?.kind === 'fire') {
      memory.isActive = true;
      firings.push({ firedAtMs: state.atMs, block: state.block, value: action.value, clearedAtMs: null });
    } else if (action?.kind === 'clear') {
      memory.isActive = false;
      memory.lastClearedAtMs = state.atMs;
      const last = firings.at(-1);
      if (last) last.clearedAtMs = state.atMs;
    }
  }
  return firings;
}
