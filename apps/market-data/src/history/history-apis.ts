import { Injectable } from '@nestjs/common';
import type { Asset } from '../assets/asset-table';
import { MarketDataConfig } from '../config';
import { withKey } from '../sources/defillama-source';
import { CoingeckoHistory } from './coingecko-history';
import { DefillamaHistory } from './defillama-history';
import type { HistorySource } from './history-source';

/** The configured APIs with price history, in order of preference. */
@Injectable()
export class HistoryApis {
  private readonly sources: readonly HistorySource[];

  constructor({
    COINGECKO_URL,
    COINGECKO_KEY,
    COINGECKO_POLL_MS,
    DEFILLAMA_URL,
    DEFILLAMA_KEY,
    DEFILLAMA_POLL_MS,
    SOURCE_TIMEOUT_MS,
    HISTORY_CALL_PAUSE_MS,
  }: MarketDataConfig) {
    const calls = { pauseMs: HISTORY_CALL_PAUSE_MS, timeoutMs: SOURCE_TIMEOUT_MS };
    const coingecko = { baseUrl: COINGECKO_URL, key: COINGECKO_KEY, pollMs: COINGECKO_POLL_MS };
    const defillama = { baseUrl: withKey(DEFILLAMA_URL, DEFILLAMA_KEY), pollMs: DEFILLAMA_POLL_MS };
    this.sources = [
      ...(COINGECKO_URL === '' ? [] : [new CoingeckoHistory(coingecko, calls)]),
      ...(DEFILLAMA_URL === '' ? [] : [new DefillamaHistory(defillama, calls)]),
    ];
  }

  /** Returns null when none knows the asset. */
  of(asset: Asset): HistorySource | null {
    return this.sources.find((source) => source.has(asset)) ?? null;
  }
}
