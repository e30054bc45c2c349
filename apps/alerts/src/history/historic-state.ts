import type { RuleInput } from '../automation/evaluate-rule';

/** A state that a position once had, as far as rules look at it. */
export interface HistoricState extends RuleInput {
  /** Time of the block, or of the price it is looked at with; milliseconds since 1970. */
  atMs: number;
  block: number;
  /** Of the assets that it had. */
  symbols: readonly string[];
}
