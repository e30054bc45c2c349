import type { Asset } from '../assets/asset-table';
import { type CoingeckoOptions, coingeckoHeaders } from '../sources/coingecko-source';
import { endpoint, fetchJson } from '../sources/fetch-json';
import { type ChunkOptions, chunkedBars } from './chunked-bars';
import type { DayBar } from './day-bar';
import type { HistorySource } from './history-source';

/** CoinGecko returns hourly prices up to 90 days, and daily ones beyond. */
const CHUNK_DAYS = 90;

/** The history of CoinGecko, from hourly prices. */
export class CoingeckoHistory implements HistorySource {
  readonly name = 'coingecko';

  constructor(
    private readonly options: CoingeckoOptions,
    private readonly calls: Omit<ChunkOptions, 'days'>,
  ) {}

  has({ coingeckoId }: Asset): boolean {
    return coingeckoId !== undefined;
  }

  bars({ coingeckoId }: Asset, firstDay: string, lastDay: string, signal: AbortSignal): Promise<DayBar[]> {
    const path = `coins/${coingeckoId}/market_chart/range`;
    const headers = coingeckoHeaders(this.options);
    const chunks = { ...this.calls, days: CHUNK_DAYS };
    return chunkedBars(firstDay, lastDay, chunks, signal, async (fromMs, toMs, deadline) => {
      const url = endpoint(this.options.baseUrl, path, {
        vs_currency: 'usd',
        from: String(Math.floor(fromMs / 1_000)),
        to: String(Math.floor(toMs / 1_000)),
      });
      const { prices = [] } = await fetchJson<{ prices?: [number, number][] }>(url, deadline, headers);
      return prices.map(([atMs, priceUsd]) => ({ atMs, priceUsd }));
    });
  }
}
