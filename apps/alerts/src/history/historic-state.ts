import type { RuleInput } from '../sources/rule/evaluate-rule';

/** A past state of a position, as rules evaluate it. */
export interface HistoricState extends RuleInput {
  /** Time of the block, or of the price that it is evaluated with, in milliseconds since 1970. */
  atMs: number;
  block: number;
  /** The assets that it held. */
  symbols: readonly string[];
}
