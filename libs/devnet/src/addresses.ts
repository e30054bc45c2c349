import type { Address } from 'viem';

/** One listed asset of the devnet: its tokens and the aggregator of its price. */
export interface DevnetAsset {
  address: Address;
  decimals: number;
  aggregator: Address;
  aToken: Address;
  variableDebtToken: Address;
  stableDebtToken: Address;
}

/**
 * Everything needed to find the devnet again. It is plain JSON, so that a file beside the chain's state can
 * hold it.
 */
export interface DevnetAddresses {
  chainId: number;
  /** The dev account that deployed the market and sets prices; unlocked on the node. */
  operator: Address;
  multicall3: Address;
  addressesProvider: Address;
  pool: Address;
  poolConfigurator: Address;
  oracle: Address;
  protocolDataProvider: Address;
  assets: Record<string, DevnetAsset>;
}

/** The devnet's asset of a symbol as the market lists it. @throws naming the known symbols */
export function devnetAsset(addresses: DevnetAddresses, symbol: string): DevnetAsset {
  const asset = addresses.assets[symbol];
  if (!asset)
    throw new Error(`unknown asset ${symbol}: use one of ${Object.keys(addresses.assets).join(', ')}`);
  return asset;
}
