import type { PriceV1 } from '@plimsoll/contracts';
import type { CombinedPrice } from './combine-quotes';
import { PRICE_DECIMALS, toUsd } from '../sources/price-raw';

/** Returns the price.v1 of a combined price. */
export function priceEvent(
  asset: string,
  price: CombinedPrice,
  change24h: number | null,
  nowMs: number,
  heartbeatMs: number,
): PriceV1 {
  return {
    asset,
    priceUsd: toUsd(price.priceRaw),
    priceRaw: price.priceRaw.toString(),
    priceDecimals: PRICE_DECIMALS,
    change24h,
    sources: price.sources.map(({ source, chainId, state, quote, heartbeatMs: silenceMs }) => ({
      source,
      chainId,
      state,
      priceUsd: quote && toUsd(quote.priceRaw),
      observedAt: quote && new Date(quote.observedAtMs).toISOString(),
      heartbeatMs: silenceMs,
    })),
    spreadPercent: price.spreadPercent,
    isStale: price.isStale,
    isDeviating: price.isDeviating,
    pegDeviationPercent: price.pegDeviationPercent,
    isDepegged: price.isDepegged,
    observedAt: new Date(price.observedAtMs).toISOString(),
    publishedAt: new Date(nowMs).toISOString(),
    heartbeatMs,
  };
}
