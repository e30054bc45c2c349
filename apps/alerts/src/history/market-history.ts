import type { PriceMinute } from '../prices/price-window';
import type { HistoricState } from './historic-state';

/**
 * What a rule on the price of an asset would have looked at: the price of each minute, beside the position as it was then.
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
