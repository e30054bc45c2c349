import type { DevnetAddresses } from './addresses';

/** The name of the devnet's one market in the registry and in position keys. */
export const DEVNET_MARKET = 'AaveV3Local';

/** The overlay of the protocol registry that a devnet stands for; written to a JSON file and given to libs/chain. */
export function registryOverlay(addresses: DevnetAddresses) {
  const { pool, addressesProvider, oracle, protocolDataProvider, chainId, multicall3 } = addresses;
  return {
    chains: [{ id: chainId, multicall3 }],
    protocols: [
      {
        id: 'aave-v3',
        chains: {
          [String(chainId)]: {
            markets: { [DEVNET_MARKET]: { pool, addressesProvider, oracle, protocolDataProvider } },
          },
        },
      },
    ],
  };
}
