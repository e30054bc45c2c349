import { encodeFunctionData, getContractAddress, zeroAddress, type Address } from 'viem';
import { linkBytecode, loadArtifact, type ArtifactName } from '../evm/artifacts';
import type { TransactionQueue } from '../evm/transaction-queue';
import { governanceAbi } from './abis';

/** The contracts of an Aave v3.0 market before any asset is listed. */
export interface MarketContracts {
  addressesProvider: Address;
  pool: Address;
  poolConfigurator: Address;
  protocolDataProvider: Address;
  aTokenImpl: Address;
  variableDebtTokenImpl: Address;
  stableDebtTokenImpl: Address;
}

const LIBRARIES = [
  'BorrowLogic',
  'BridgeLogic',
  'EModeLogic',
  'LiquidationLogic',
  'PoolLogic',
  'SupplyLogic',
  'ConfiguratorLogic',
  'FlashLoanLogic',
] as const satisfies readonly ArtifactName[];

/** Queues the market's contracts in the order of their constructors' dependencies. It sends nothing. */
export function queueMarket(queue: TransactionQueue, operator: Address, marketId: string): MarketContracts {
  const libraries: Partial<Record<string, Address>> = {};
  const deploy = (name: ArtifactName, args: readonly unknown[] = []): Address => {
    const artifact = loadArtifact(name);
    return queue.deploy(operator, name, artifact.abi, linkBytecode(artifact, libraries), args);
  };
  const addressesProvider = deploy('PoolAddressesProvider', [marketId, operator]);
  for (const library of LIBRARIES) libraries[library] = deploy(library);

  const provider = (functionName: ProviderCall, address: Address): void =>
    queue.call(
      operator,
      functionName,
      addressesProvider,
      encodeFunctionData({ abi: governanceAbi, functionName, args: [address] }),
      3_000_000n,
    );
  provider('setPoolImpl', deploy('Pool', [addressesProvider]));
  provider('setPoolConfiguratorImpl', deploy('PoolConfigurator'));
  provider('setACLAdmin', operator);
  const aclManager = deploy('ACLManager', [addressesProvider]);
  provider('setACLManager', aclManager);
  for (const functionName of ['addPoolAdmin', 'addEmergencyAdmin'] as const) {
    queue.call(
      operator,
      functionName,
      aclManager,
      encodeFunctionData({ abi: governanceAbi, functionName, args: [operator] }),
    );
  }
  const protocolDataProvider = deploy('AaveProtocolDataProvider', [addressesProvider]);
  provider('setPoolDataProvider', protocolDataProvider);

  // The provider creates its proxies by CREATE, the pool's first, so their addresses follow from its own
  // nonce.
  const pool = getContractAddress({ from: addressesProvider, nonce: 1n });
  const poolConfigurator = getContractAddress({ from: addressesProvider, nonce: 2n });
  return {
    addressesProvider,
    pool,
    poolConfigurator,
    protocolDataProvider,
    aTokenImpl: deploy('AToken', [pool]),
    variableDebtTokenImpl: deploy('VariableDebtToken', [pool]),
    stableDebtTokenImpl: deploy('StableDebtToken', [pool]),
  };
}

type ProviderCall =
  | 'setPoolImpl'
  | 'setPoolConfiguratorImpl'
  | 'setACLAdmin'
  | 'setACLManager'
  | 'setPoolDataProvider'
  | 'setPriceOracle';

/** Queues the oracle over the given feeds (base currency US dollar, 8 decimals) and sets it in the market. */
export function queueOracle(
  queue: TransactionQueue,
  operator: Address,
  addressesProvider: Address,
  sources: readonly { asset: Address; feed: Address }[],
): Address {
  const artifact = loadArtifact('AaveOracle');
  const oracle = queue.deploy(operator, 'AaveOracle', artifact.abi, linkBytecode(artifact, {}), [
    addressesProvider,
    sources.map(({ asset }) => asset),
    sources.map(({ feed }) => feed),
    zeroAddress,
    zeroAddress,
    100_000_000n,
  ]);
  const data = encodeFunctionData({ abi: governanceAbi, functionName: 'setPriceOracle', args: [oracle] });
  queue.call(operator, 'setPriceOracle', addressesProvider, data);
  return oracle;
}
