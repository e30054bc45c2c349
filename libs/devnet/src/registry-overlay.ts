import type { Address } from 'viem';
import type { DevnetAddresses } from './addresses';
import { localPriceFeeds } from './price-feed/local-price-feeds';

/** What stands in an overlay file. */
export interface RegistryOverlayFile {
  chains: { id: number; multicall3: Address }[];
  priceFeeds: ReturnType<typeof localPriceFeeds>[];
  /** What apps/execution acts through. */
  execution: { chainId: number; oracleVenue?: Address }[];
  protocols: { id: string; chains: Record<string, object> }[];
}

/** The name of the devnet's one market in the registry and in position keys. */
export const DEVNET_MARKET = 'AaveV3Local';
/** That of its isolated pool of Venus. */
export const DEVNET_POOL = 'VenusLocal';

/**
 * The overlay of the protocol registry that a devnet stands for; written to a JSON file and given to libs/chain.
 * @param morpho Morpho Blue, where it stands beside the market
 * @param venus the comptroller of an isolated pool of Venus, where one does
 * @param venue where wallets swap
 */
export function registryOverlay(
  addresses: DevnetAddresses,
  {
    morpho,
    venus,
    venue,
  }: { morpho?: Address | undefined; venus?: Address | undefined; venue?: Address | undefined } = {},
): RegistryOverlayFile {
  const { pool, addressesProvider, oracle, protocolDataProvider, chainId, multicall3 } = addresses;
  return {
    chains: [{ id: chainId, multicall3 }],
    priceFeeds: [localPriceFeeds(addresses)],
    execution: [{ chainId, ...(venue && { oracleVenue: venue }) }],
    protocols: [
      {
        id: 'aave-v3',
        chains: {
          [String(chainId)]: {
            markets: { [DEVNET_MARKET]: { pool, addressesProvider, oracle, protocolDataProvider } },
          },
        },
      },
      ...(morpho ? [{ id: 'morpho-blue', chains: { [String(chainId)]: { morpho } } }] : []),
      ...(venus
        ? [
            {
              id: 'venus',
              chains: { [String(chainId)]: { isolatedComptrollers: { [DEVNET_POOL]: venus } } },
            },
          ]
        : []),
    ],
  };
}
