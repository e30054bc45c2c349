import type { PriceSource } from '@plimsoll/contracts';
import type { Asset } from '../assets/asset';
import type { DayBar } from './day-bar';

/** An API that knows the past of prices. */
export interface HistorySource {
  readonly name: PriceSource;
  has(asset: Asset): boolean;
  /**
   * Bars of the days, both ends included; a day that the source does not know has none. Several calls, with a pause
   * between them. @throws when a call fails
   */
  bars(asset: Asset, firstDay: string, lastDay: string, signal: AbortSignal): Promise<DayBar[]>;
}
