import type { Clock } from '@plimsoll/service-kit';
import { toPriceRaw } from './price-raw';
import { endpoint, fetchJson } from './fetch-json';
import type { PriceSource, Quote, SourceReading } from './price-source';
import { SourceIds } from './source-ids';

const HEARTBEAT_MS = 5 * 60_000;

/** `GET /simple/price` of CoinGecko. */
interface SimplePrices {
  [id: string]: {
    usd?: number | null;
    usd_market_cap?: number | null;
    usd_24h_change?: number | null;
    /** Unix seconds. */
    last_updated_at?: number | null;
  };
}

/** URL and key of CoinGecko. */
export interface CoingeckoOptions {
  baseUrl: string;
  key: string;
  pollMs: number;
}

/** Returns the header of the key. Paid plans have their own host and header. */
export function coingeckoHeaders({ baseUrl, key }: CoingeckoOptions): Record<string, string> {
  if (key === '') return {};
  return { [new URL(baseUrl).host.startsWith('pro-') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key };
}

/** Prices of CoinGecko, all assets in one request. */
export class CoingeckoSource implements PriceSource {
  readonly name = 'coingecko';
  readonly chainId = null;
  readonly pollMs: number;
  private readonly ids = new SourceIds(({ coingeckoId }) => coingeckoId);

  constructor(
    private readonly options: CoingeckoOptions,
    private readonly clock: Clock,
  ) {
    this.pollMs = options.pollMs;
  }

  heartbeatMs(asset: string): number | undefined {
    return this.ids.all.has(asset) ? HEARTBEAT_MS : undefined;
  }

  async read(signal: AbortSignal): Promise<SourceReading> {
    const ids = this.ids.idsToRequest(this.clock.now());
    const url = endpoint(this.options.baseUrl, 'simple/price', {
      ids: ids.join(','),
      vs_currencies: 'usd',
      include_market_cap: 'true',
      include_24hr_change: 'true',
      include_last_updated_at: 'true',
      precision: 'full',
    });
    const response = await fetchJson<SimplePrices>(url, signal, coingeckoHeaders(this.options));
    this.ids.resolved(ids, response, this.clock.now());
    return {
      quotes: [...this.ids.all].flatMap(([asset, id]) => quoteOf(asset, response[id])),
      isSequencerDown: false,
    };
  }
}

function quoteOf(asset: string, price: SimplePrices[string] | undefined): Quote[] {
  const { usd, usd_market_cap, usd_24h_change, last_updated_at } = price ?? {};
  if (!isPositive(usd) || !isPositive(last_updated_at)) return [];
  return [
    {
      asset,
      priceRaw: toPriceRaw(usd),
      observedAtMs: last_updated_at * 1_000,
      marketCapUsd: isPositive(usd_market_cap) ? usd_market_cap : null,
      change24h: typeof usd_24h_change === 'number' ? usd_24h_change : null,
    },
  ];
}

const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;
