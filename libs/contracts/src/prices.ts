/** Where a price or a history comes from; local-market: the feeds of a local chain, moved by its simulated market. */
export const PRICE_SOURCES = ['chainlink', 'coingecko', 'defillama', 'local-market'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/**
 * How a source stands in a price: `used` in the median; `stale`, past its heartbeat; `deviant`, too far from the median of
 * the others; `down`, no answer; `sequencer_down`, the chain of the feed does not take transactions.
 */
export const PRICE_SOURCE_STATES = ['used', 'stale', 'deviant', 'down', 'sequencer_down'] as const;
export type PriceSourceState = (typeof PRICE_SOURCE_STATES)[number];

/** A wrapped token and its coin are one price (decisions.md, Endpoints beyond the tables). */
const SAME_PRICE: Readonly<Record<string, string>> = { WETH: 'ETH', WBTC: 'BTC' };

/** The name under which an asset's price is kept and published: upper case, ETH for WETH and BTC for WBTC. */
export function priceSymbol(symbol: string): string {
  const upper = symbol.toUpperCase();
  return SAME_PRICE[upper] ?? upper;
}

/** Every symbol, in upper case, whose price is published under this name: ETH and WETH for ETH. */
export function symbolsOfPrice(asset: string): string[] {
  return [asset, ...Object.keys(SAME_PRICE).filter((symbol) => SAME_PRICE[symbol] === asset)];
}
