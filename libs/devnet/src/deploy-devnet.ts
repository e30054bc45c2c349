import { decodeFunctionResult, encodeFunctionData, type Address, type Hex } from 'viem';
import { dataProviderAbi, poolAbi } from './aave/abis';
import { ASSETS, type AssetListing } from './aave/assets';
import { queueMarket, queueOracle } from './aave/deploy-market';
import { queueListings } from './aave/list-assets';
import type { DevnetAddresses, DevnetAsset } from './addresses';
import { linkBytecode, loadArtifact } from './evm/artifacts';
import { installMulticall3 } from './evm/multicall3';
import { connectAnvil, operatorOf, type AnvilRpc } from './evm/rpc';
import { TransactionQueue } from './evm/transaction-queue';
import { priceFeedAbi, priceFeedBytecode } from './price-feed/price-feed';
import { DEVNET_MARKET } from './registry-overlay';

/** The deployment target: a running anvil node and its required chain id. */
export interface DevnetTarget {
  rpcUrl: string;
  chainId: number;
}

/**
 * Deploys Multicall3 and the genuine Aave v3.0 bytecode with its assets and price feeds.
 * @throws when the node has another chain id, or when a transaction reverts
 */
export async function deployDevnet({ rpcUrl, chainId }: DevnetTarget): Promise<DevnetAddresses> {
  const rpc = connectAnvil(rpcUrl);
  const actual = Number(await rpc.request<Hex>('eth_chainId', []));
  if (actual !== chainId)
    throw new Error(
      `the node has chain id ${actual}, not ${chainId}: start anvil with --chain-id ${chainId}`,
    );
  const operator = await operatorOf(rpc);
  const multicall3 = await installMulticall3(rpc);

  const queue = await TransactionQueue.open(rpc, [operator]);
  const market = queueMarket(queue, operator, DEVNET_MARKET);
  const assets = ASSETS.map((listing) => ({ listing, ...queueAsset(queue, operator, listing) }));
  const sources = assets.map(({ address, aggregator }) => ({ asset: address, feed: aggregator }));
  const oracle = queueOracle(queue, operator, market.addressesProvider, sources);
  queueListings(queue, operator, market, assets);
  await queue.flush();

  const { addressesProvider, pool, poolConfigurator, protocolDataProvider } = market;
  const listed = await Promise.all(
    assets.map(async (asset): Promise<[string, DevnetAsset]> => {
      const { address, aggregator } = asset;
      const tokens = await readTokens(rpc, protocolDataProvider, address);
      return [asset.listing.symbol, { address, decimals: asset.listing.decimals, aggregator, ...tokens }];
    }),
  );
  return {
    chainId,
    operator,
    multicall3,
    addressesProvider,
    pool,
    poolConfigurator,
    oracle,
    protocolDataProvider,
    assets: Object.fromEntries(listed),
  };
}

/**
 * Whether the contracts of an earlier deployment still exist on the node (its state may have been dropped).
 */
export async function isDeployed(rpcUrl: string, addresses: DevnetAddresses): Promise<boolean> {
  const rpc = connectAnvil(rpcUrl);
  const [chainId, code] = await Promise.all([
    rpc.request<Hex>('eth_chainId', []),
    rpc.request<Hex>('eth_getCode', [addresses.pool, 'latest']),
  ]);
  if (Number(chainId) !== addresses.chainId || code === '0x') return false;
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'ADDRESSES_PROVIDER' });
  const response = await rpc.request<Hex>('eth_call', [{ to: addresses.pool, data }, 'latest']);
  return (
    decodeFunctionResult({ abi: poolAbi, functionName: 'ADDRESSES_PROVIDER', data: response }) ===
    addresses.addressesProvider
  );
}

function queueAsset(queue: TransactionQueue, operator: Address, listing: AssetListing) {
  const token = loadArtifact('MintableERC20');
  const address = queue.deploy(operator, listing.symbol, token.abi, linkBytecode(token, {}), [
    listing.name,
    listing.symbol,
    listing.decimals,
  ]);
  const aggregator = queue.deploy(operator, `${listing.symbol} price feed`, priceFeedAbi, priceFeedBytecode);
  const data = encodeFunctionData({ abi: priceFeedAbi, functionName: 'setAnswer', args: [listing.priceUsd] });
  queue.call(operator, `${listing.symbol} first price`, aggregator, data);
  return { address, aggregator };
}

async function readTokens(rpc: AnvilRpc, protocolDataProvider: Address, asset: Address) {
  const abi = dataProviderAbi;
  const data = encodeFunctionData({ abi, functionName: 'getReserveTokensAddresses', args: [asset] });
  const response = await rpc.request<Hex>('eth_call', [{ to: protocolDataProvider, data }, 'latest']);
  const [aToken, stableDebtToken, variableDebtToken] = decodeFunctionResult({
    abi,
    functionName: 'getReserveTokensAddresses',
    data: response,
  });
  return { aToken, stableDebtToken, variableDebtToken };
}
