import { Injectable } from '@nestjs/common';
import { type PriceHistory, notFound } from '@plimsoll/contracts';
import { findAsset } from '../assets/asset-table';
import { addDays, daysBetween } from './day-bar';
import { HistoryRepository } from './history.repository';

@Injectable()
export class HistoryService {
  constructor(private readonly repository: HistoryRepository) {}

  /**
   * Returns the last `days` completed days of the asset, or as many as there are.
   * @throws not_found
   */
  async find(symbol: string, days: number): Promise<PriceHistory> {
    const asset = findAsset(symbol);
    const history = asset && (await this.repository.find(asset.symbol));
    if (!history) throw notFound('price history');
    const asked = addDays(history.lastDay, 1 - days);
    const firstDay = asked > history.firstDay ? asked : history.firstDay;
    const bars = await this.repository.bars(history.asset, firstDay);
    const byDay = new Map(bars.map((bar) => [bar.day, bar]));
    const items = daysBetween(firstDay, history.lastDay).map((day) => {
      const bar = byDay.get(day);
      if (!bar)
        return { day, open: null, high: null, low: null, close: null, isGap: true, isCorrected: false };
      const { open, high, low, close, isCorrected } = bar;
      return { day, open, high, low, close, isGap: false, isCorrected };
    });
    return {
      symbol,
      historySource: history.historySource,
      version: history.version,
      bars: items,
      count: items.length,
      updatedAt: history.updatedAt.toISOString(),
    };
  }
}
