/** An asset with a price, under the name of priceSymbol. */
export interface Asset {
  symbol: string;
  name: string;
  /** Id at CoinGecko. Undefined: not read there. */
  coingeckoId?: string;
  /** `<chain>:<token address>` at DefiLlama, where its price comes from trades and not from CoinGecko. */
  defillamaId?: string;
  /** Target price in USD. */
  pegUsd?: number;
  /** Largest distance of a source from the others, in percent. */
  maxDeviationPercent: number;
}
