import type { PriceV1 } from '@plimsoll/contracts';

/** All that is kept of an asset's price: what was published, and what only the API shows. */
export interface PriceState {
  event: PriceV1;
  /** USD; 0 where no source says, as CoinGecko has it. */
  marketCapUsd: number;
  /** Percent since `changeSince`. */
  change24h: number;
  /** 24 hours ago; less while the price has not been known for a day. */
  changeSince: string;
}
