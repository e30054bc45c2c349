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
