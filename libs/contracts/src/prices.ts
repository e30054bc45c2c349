/**
 * Source of a price or a history. local-market: the feeds of a local chain, moved by its simulated market.
 */
export const PRICE_SOURCES = ['chainlink', 'coingecko', 'defillama', 'local-market'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/**
 * State of a source in a price: `used` in the median, `stale` past its heartbeat, `deviant` too far from
 * the median of the others, `down` without a response. `sequencer_down`: the chain of the feed accepts no
 * transactions.
 */
export const PRICE_SOURCE_STATES = ['used', 'stale', 'deviant', 'down', 'sequencer_down'] as const;
export type PriceSourceState = (typeof PRICE_SOURCE_STATES)[number];

/** A wrapped token and its coin have one price. */
const SAME_PRICE: Readonly<Record<string, string>> = { WETH: 'ETH', WBTC: 'BTC' };

/**
 * Returns the name under which an asset's price is stored and published: upper case, ETH for WETH and BTC for
 * WBTC.
 */
export function priceSymbol(symbol: string): string {
  const upper = symbol.toUpperCase();
  return SAME_PRICE[upper] ?? upper;
}

/** Returns every symbol, in upper case, whose price is published under this name: ETH and WETH for ETH. */
export function symbolsOfPrice(asset: string): string[] {
  return [asset, ...Object.keys(SAME_PRICE).filter((symbol) => SAME_PRICE[symbol] === asset)];
}
