import { priceSymbol } from '@plimsoll/contracts';
import type { DevnetAddresses } from '../addresses';

/** The market simulation moves every price within seconds. A feed without a change for an hour was paused. */
const HEARTBEAT_MS = 3_600_000;

/** The devnet's aggregators for market-data: asset, address and token of each. */
export function localPriceFeeds({ chainId, assets }: DevnetAddresses) {
  return {
    chainId,
    source: 'local-market' as const,
    sequencer: null,
    feeds: Object.entries(assets).map(([symbol, { address, aggregator }]) => ({
      asset: priceSymbol(symbol),
      address: aggregator,
      heartbeatMs: HEARTBEAT_MS,
      token: address,
    })),
  };
}
