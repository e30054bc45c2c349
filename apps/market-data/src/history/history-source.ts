import type { PriceSource } from '@plimsoll/contracts';
import type { Asset } from '../assets/asset-table';
import type { DayBar } from './day-bar';

/** An API with past prices. */
export interface HistorySource {
  readonly name: PriceSource;
  has(asset: Asset): boolean;
  /**
   * Returns the bars of the days, both ends included. Unknown days have none. It sends several requests with
   * a pause between them.
   * @throws when a request fails
   */
  bars(asset: Asset, firstDay: string, lastDay: string, signal: AbortSignal): Promise<DayBar[]>;
}
