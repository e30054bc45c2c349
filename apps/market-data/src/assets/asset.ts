/** An asset whose price is kept, under the name that priceSymbol gives. */
export interface Asset {
  symbol: string;
  name: string;
  /** Id in CoinGecko's list; undefined: not asked there. */
  coingeckoId?: string;
  /** `<chain>:<token address>` at DefiLlama, whose price there comes from trades and not from CoinGecko. */
  defillamaId?: string;
  /** USD price that the asset is meant to have. */
  pegUsd?: number;
  /** How far a source may be from the others, percent. */
  maxDeviationPercent: number;
}
