export { priceSymbol, symbolsOfPrice } from '@plimsoll/risk-math';

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
