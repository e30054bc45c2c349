import type { PriceMinute } from '../prices/price-window';
import type { RuleInput } from '../sources/rule/evaluate-rule';

/** A past state of a position, as rules evaluate it. */
export interface HistoricState extends RuleInput {
  /** Time of the block, or of the price that it is evaluated with, in milliseconds since 1970. */
  atMs: number;
  block: number;
  /** The assets that it held. */
  symbols: readonly string[];
}

/**
 * Returns what a rule on an asset's price would have evaluated: the price of each minute, with the position
 * at that time.
 * @param history states of the position, oldest first
 * @param minutes prices of the asset, oldest first
 */
export function marketHistory(
  history: readonly HistoricState[],
  minutes: readonly PriceMinute[],
): HistoricState[] {
  const states: HistoricState[] = [];
  let at = -1;
  for (const { asset, close, atMs } of minutes) {
    while ((history[at + 1]?.atMs ?? Infinity) <= atMs) at += 1;
    const state = history[at];
    if (state !== undefined) states.push({ ...state, atMs, prices: { [asset]: close } });
  }
  return states;
}
