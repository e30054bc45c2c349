import { Injectable } from '@nestjs/common';
import type { PriceHistoryV1, PriceSource } from '@plimsoll/contracts';
import { type DailyHistory, HISTORY_DAYS } from '@plimsoll/risk-math';
import { historyLastDay } from '../metrics';
import { missingHistory } from './missing-market';

const DAY_MS = 86_400_000;
/** The fewest changes from which the filter can learn. */
const MIN_CHANGES = 30;

/** The days of one asset after its last gap, oldest first. */
interface AssetDays {
  version: number;
  source: PriceSource;
  /** Days since 1970 of the last one. */
  lastDay: number;
  close: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

/** The source of the daily prices in a response. */
export interface HistoryBasis {
  historySource: PriceSource[];
  /** `days` counts changes: one fewer than prices. */
  historyWindow: { from: string; to: string; days: number };
}

/** Daily prices over the same days for each asset. */
export interface MarketHistory extends HistoryBasis {
  history: DailyHistory;
}

/** The last year of each asset from price-history.v1, by price symbol. */
@Injectable()
export class PriceHistories {
  private readonly byAsset = new Map<string, AssetDays>();

  /** @param event null: the asset no longer has a history */
  apply(asset: string, event: PriceHistoryV1 | null): void {
    if (event === null) this.byAsset.delete(asset);
    else if (event.version >= (this.byAsset.get(asset)?.version ?? 0)) {
      const days = lastDays(event);
      this.byAsset.set(asset, days);
      historyLastDay.set({ asset }, (days.lastDay * DAY_MS) / 1_000);
    }
  }

  /**
   * The days that all of the assets have.
   * @param assets price symbols, at least one
   * @throws upstream_unavailable naming the assets that have too few
   */
  of(assets: readonly string[]): MarketHistory {
    const known = assets.map((asset) => this.byAsset.get(asset));
    const lastDay = Math.min(...known.map((days) => days?.lastDay ?? Infinity));
    const length = Math.min(
      ...known.map((days) => (days ? days.close.length - (days.lastDay - lastDay) : 0)),
    );
    if (length <= MIN_CHANGES) {
      const missing = assets.filter((_, i) => (known[i]?.close.length ?? 0) <= MIN_CHANGES);
      throw missingHistory(missing.length > 0 ? missing : assets, MIN_CHANGES);
    }
    const days = known as AssetDays[];
    const row = (of: (days: AssetDays) => Float64Array) =>
      days.map((each) => {
        const end = each.close.length - (each.lastDay - lastDay);
        return of(each).slice(end - length, end);
      });
    return {
      history: {
        assets,
        close: row(({ close }) => close),
        low: row(({ low }) => low),
        high: row(({ high }) => high),
      },
      historySource: [...new Set(days.map(({ source }) => source))],
      historyWindow: { from: utcDay(lastDay - length + 1), to: utcDay(lastDay), days: length - 1 },
    };
  }
}

function lastDays(event: PriceHistoryV1): AssetDays {
  const { close, low, high } = event;
  const lastGap = close.lastIndexOf(null);
  const first = Math.max(lastGap + 1, close.length - HISTORY_DAYS - 1);
  const rest = (prices: readonly (number | null)[]) =>
    Float64Array.from(prices.slice(first), (price) => price ?? Number.NaN);
  return {
    version: event.version,
    source: event.historySource,
    lastDay: Date.parse(event.lastDay) / DAY_MS,
    close: rest(close),
    low: rest(low),
    high: rest(high),
  };
}

const utcDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
