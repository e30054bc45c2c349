import type { Clock } from '@plimsoll/service-kit';
import { toPriceRaw } from './price-raw';
import { endpoint, fetchJson } from './fetch-json';
import type { PriceSource, SourceReading } from './price-source';
import { SourceIds } from './source-ids';

const HEARTBEAT_MS = 10 * 60_000;
/** DefiLlama's own confidence in a price, 0 to 1. */
const MIN_CONFIDENCE = 0.8;

/** `GET /prices/current/<coins>` of DefiLlama. */
interface CurrentPrices {
  coins?: Record<string, { price?: number; timestamp?: number; confidence?: number }>;
}

/** URL and key of DefiLlama. */
export interface DefillamaOptions {
  baseUrl: string;
  pollMs: number;
}

/** Returns the base URL with the key in place of `{key}`, because DefiLlama expects it in the path. */
export function withKey(baseUrl: string, key: string): string {
  return baseUrl.replace('{key}', encodeURIComponent(key));
}

/** Prices of DefiLlama, all assets in one request. */
export class DefillamaSource implements PriceSource {
  readonly name = 'defillama';
  readonly chainId = null;
  readonly pollMs: number;
  private readonly ids = new SourceIds(({ defillamaId }) => defillamaId);

  constructor(
    private readonly options: DefillamaOptions,
    private readonly clock: Clock,
  ) {
    this.pollMs = options.pollMs;
  }

  heartbeatMs(asset: string): number | undefined {
    return this.ids.all.has(asset) ? HEARTBEAT_MS : undefined;
  }

  async read(signal: AbortSignal): Promise<SourceReading> {
    const ids = this.ids.idsToRequest(this.clock.now());
    const url = endpoint(this.options.baseUrl, `prices/current/${ids.join(',')}`, { searchWidth: '4h' });
    const { coins = {} } = await fetchJson<CurrentPrices>(url, signal);
    this.ids.resolved(ids, coins, this.clock.now());
    const quotes = [...this.ids.all].flatMap(([asset, id]) => {
      const { price = 0, timestamp = 0, confidence = 1 } = coins[id] ?? {};
      if (!(price > 0) || !Number.isFinite(price) || !(timestamp > 0) || confidence < MIN_CONFIDENCE)
        return [];
      const observedAtMs = timestamp * 1_000;
      return [{ asset, priceRaw: toPriceRaw(price), observedAtMs, marketCapUsd: null, change24h: null }];
    });
    return { quotes, isSequencerDown: false };
  }
}
