import type { Address } from 'viem';
import { priceSymbol } from '@plimsoll/contracts';
import { type OverlayLabel, deploymentLabels } from './actors/actors';
import type { DevnetAddresses } from './addresses';

/** The market simulation moves every price within seconds. A feed without a change for an hour was paused. */
const HEARTBEAT_MS = 3_600_000;

/** The devnet's aggregators for market-data: asset, address and token of each. */
function localPriceFeeds({ chainId, assets }: DevnetAddresses) {
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

/** The content of an overlay file. */
export interface RegistryOverlayFile {
  chains: { id: number; multicall3: Address }[];
  priceFeeds: ReturnType<typeof localPriceFeeds>[];
  /** The contracts through which apps/execution acts. */
  execution: { chainId: number; oracleVenue?: Address; executors?: Record<string, Address> }[];
  protocols: { id: string; chains: Record<string, object> }[];
  labels: OverlayLabel[];
}

/** The name of the devnet's one market in the registry and in position keys. */
export const DEVNET_MARKET = 'AaveV3Local';
/** The name of its isolated pool of Venus. */
export const DEVNET_POOL = 'VenusLocal';

/** The executor contracts of the devnet's markets. */
export interface MarketExecutors {
  aaveV3: Address;
  morphoBlue?: Address;
  compoundV2?: Address;
}

/** The additional markets on the devnet. The state of an earlier start may lack some of them. */
export interface AdditionalMarkets {
  morpho?: Address | undefined;
  venus?: Address | undefined;
  venue?: Address | undefined;
  executors?: MarketExecutors | undefined;
}

/**
 * The overlay of the protocol registry for a devnet, written to a JSON file and read by libs/evm.
 * @param morpho Morpho Blue, if it is on the devnet
 * @param venus the comptroller of an isolated pool of Venus, if there is one
 * @param venue where wallets swap
 * @param executors the executor contracts of the markets
 */
export function registryOverlay(
  addresses: DevnetAddresses,
  { morpho, venus, venue, executors }: AdditionalMarkets = {},
): RegistryOverlayFile {
  const { pool, addressesProvider, oracle, protocolDataProvider, chainId, multicall3 } = addresses;
  const named = (kind: OverlayLabel['kind'], name: string, address: Address): OverlayLabel => ({
    chainId,
    address,
    kind,
    name,
  });
  return {
    labels: [
      ...deploymentLabels(addresses),
      ...(venue ? [named('router', 'Local swap venue', venue)] : []),
      ...Object.values(executors ?? {}).map((executor: Address) =>
        named('protocol', 'Plimsoll executor', executor),
      ),
    ],
    chains: [{ id: chainId, multicall3 }],
    priceFeeds: [localPriceFeeds(addresses)],
    execution: [
      {
        chainId,
        ...(venue && { oracleVenue: venue }),
        ...(executors && { executors: executorsByMarket(executors) }),
      },
    ],
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

/** The executors by protocol and market of the registry's rows. */
function executorsByMarket({ aaveV3, morphoBlue, compoundV2 }: MarketExecutors): Record<string, Address> {
  return {
    [`aave-v3/${DEVNET_MARKET}`]: aaveV3,
    ...(morphoBlue && { 'morpho-blue/morpho-blue': morphoBlue }),
    ...(compoundV2 && { [`venus/${DEVNET_POOL}`]: compoundV2 }),
  };
}
