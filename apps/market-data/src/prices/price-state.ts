import type { PriceV1 } from '@plimsoll/contracts';

/** The stored state of an asset's price: the published event, and values that only the API shows. */
export interface PriceState {
  event: PriceV1;
  /** USD. 0 when no source states it, as CoinGecko does. */
  marketCapUsd: number;
  /** Percent since `changeSince`. */
  change24h: number;
  /** 24 hours ago, or later while the price has been known for less than a day. */
  changeSince: string;
}
