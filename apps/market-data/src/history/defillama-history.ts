import type { Asset } from '../assets/asset-table';
import type { DefillamaOptions } from '../sources/defillama-source';
import { endpoint, fetchJson } from '../sources/fetch-json';
import { type ChunkOptions, chunkedBars } from './chunked-bars';
import type { DayBar } from './day-bar';
import type { HistorySource } from './history-source';

/** DefiLlama returns up to 500 points per request. */
const CHUNK_DAYS = 80;
const POINTS_PER_DAY = 6;

interface Chart {
  coins?: Record<string, { prices?: { timestamp: number; price: number }[] }>;
}

/** The history of DefiLlama, from prices every four hours. */
export class DefillamaHistory implements HistorySource {
  readonly name = 'defillama';

  constructor(
    private readonly options: DefillamaOptions,
    private readonly calls: Omit<ChunkOptions, 'days'>,
  ) {}

  has({ defillamaId }: Asset): boolean {
    return defillamaId !== undefined;
  }

  bars(
    { defillamaId = '' }: Asset,
    firstDay: string,
    lastDay: string,
    signal: AbortSignal,
  ): Promise<DayBar[]> {
    const chunks = { ...this.calls, days: CHUNK_DAYS };
    return chunkedBars(firstDay, lastDay, chunks, signal, async (fromMs, toMs, deadline) => {
      const days = Math.round((toMs - fromMs) / 86_400_000);
      const url = endpoint(this.options.baseUrl, `chart/${defillamaId}`, {
        start: String(Math.floor(fromMs / 1_000)),
        span: String(days * POINTS_PER_DAY),
        period: '4h',
        searchWidth: '600',
      });
      const { coins = {} } = await fetchJson<Chart>(url, deadline);
      const prices = coins[defillamaId]?.prices ?? [];
      return prices.map(({ timestamp, price }) => ({ atMs: timestamp * 1_000, priceUsd: price }));
    });
  }
}
