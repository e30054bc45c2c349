import type { Correlation, PriceV1 } from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import { type AssetPrice, assetPrice } from './asset-price';

/** A new price. */
export interface PriceTick {
  price: AssetPrice;
  /** Null for the first price of the asset. */
  previous: AssetPrice | null;
  /** Percent from the target price, negative below it. Null without a target. */
  pegDeviationPercent: number | null;
  cause: Correlation;
}

/**
 * Returns the new prices of a batch of price.v1, in order, without duplicates and older ones.
 * @param known the latest price by asset
 */
export function freshTicks(
  events: readonly ReceivedEvent<PriceV1>[],
  known: ReadonlyMap<string, AssetPrice>,
): PriceTick[] {
  const latest = new Map(known);
  const ticks: PriceTick[] = [];
  for (const { value, requestId, traceparent } of events) {
    if (value === null) continue;
    const price = assetPrice(value);
    const previous = latest.get(price.asset) ?? null;
    if (previous !== null && price.publishedAtMs <= previous.publishedAtMs) continue;
    latest.set(price.asset, price);
    const { pegDeviationPercent } = value;
    ticks.push({ price, previous, pegDeviationPercent, cause: { requestId, traceparent } });
  }
  return ticks;
}
