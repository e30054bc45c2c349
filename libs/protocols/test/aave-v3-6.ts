import { type Artifact, compileSolidity } from '@plimsoll/devnet';
import { encodeAbiParameters, parseAbiParameters, zeroAddress, type Address, type Hex } from 'viem';
import { standIns, type Call, type LocalChain } from './local-chain';

const SOURCE = '@aave-dao/aave-v3-origin/src/contracts';
const ENTRIES = [
  'protocol/configuration/PoolAddressesProvider',
  'protocol/configuration/ACLManager',
  'instances/PoolInstance',
  'instances/PoolConfiguratorInstance',
  'instances/ATokenInstance',
  'instances/VariableDebtTokenInstance',
  'misc/AaveOracle',
  'misc/DefaultReserveInterestRateStrategyV2',
];
const RATES = encodeAbiParameters(
  parseAbiParameters('(uint16 optimal, uint32 base, uint32 slope1, uint32 slope2)'),
  [{ optimal: 8_000, base: 100, slope1: 500, slope2: 6_000 }],
);

/** An asset to list; prices with 8 decimals, thresholds in basis points. */
export interface Listing {
  symbol: string;
  decimals: number;
  price: bigint;
  ltv: number;
  threshold: number;
}

/** A market of Aave v3.6 (pool revision 10). */
export interface AaveV36Market {
  pool: Address;
  addressesProvider: Address;
  poolAbi: Artifact['abi'];
  configurator: Address;
  configuratorAbi: Artifact['abi'];
  assets: { listing: Listing; token: Address; feed: Address }[];
}

/** Contracts of `@aave-dao/aave-v3-origin`, as its foundry.toml compiles them. For tests only: BUSL until 2027. */
export function aaveV36Artifacts(): Record<string, Artifact> {
  return compileSolidity({
    compiler: 'solc',
    entries: ENTRIES.map((entry) => `${SOURCE}/${entry}.sol`),
    remappings: {
      'openzeppelin-contracts/contracts/': '@openzeppelin/contracts/',
      'openzeppelin-contracts-upgradeable/contracts/': '@openzeppelin/contracts-upgradeable/',
      'solidity-utils/contracts/': '@bgd-labs/solidity-utils/src/contracts/',
      '@openzeppelin/contracts/': '@openzeppelin/contracts/',
    },
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  });
}

/** Deploys a market with its assets listed, all of them borrowable. */
export async function deployAaveV36(chain: LocalChain, listings: readonly Listing[]): Promise<AaveV36Market> {
  const artifacts = aaveV36Artifacts();
  const { operator } = chain;
  const libraries: Record<string, Address> = {};
  const deploy = async (name: string, args: readonly unknown[] = []): Promise<Address> => {
    const artifact = artifacts[name]!;
    for (const library of Object.values(artifact.linkReferences).flatMap((file) => Object.keys(file)))
      libraries[library] ??= await deploy(library);
    return chain.deploy(artifact, args, libraries);
  };
  const addressesProvider = await deploy('PoolAddressesProvider', ['test', operator]);
  const provider = (name: string, address: Address): Call => ({
    to: addressesProvider,
    abi: artifacts['PoolAddressesProvider']!.abi,
    name,
    args: [address],
    gas: 3_000_000n,
  });
  const strategy = await deploy('DefaultReserveInterestRateStrategyV2', [addressesProvider]);
  const poolImpl = await deploy('PoolInstance', [addressesProvider, strategy]);
  const configuratorImpl = await deploy('PoolConfiguratorInstance');
  await chain.send([
    provider('setPoolImpl', poolImpl),
    provider('setPoolConfiguratorImpl', configuratorImpl),
    provider('setACLAdmin', operator),
  ]);
  const aclManager = await deploy('ACLManager', [addressesProvider]);
  const acl = (name: string): Call => ({
    to: aclManager,
    abi: artifacts['ACLManager']!.abi,
    name,
    args: [operator],
  });
  await chain.send([provider('setACLManager', aclManager), acl('addPoolAdmin'), acl('addRiskAdmin')]);

  const { Token, PriceFeed } = standIns();
  const assets: AaveV36Market['assets'] = [];
  for (const listing of listings) {
    const token = await chain.deploy(Token!, [listing.symbol, listing.decimals]);
    assets.push({ listing, token, feed: await chain.deploy(PriceFeed!, [listing.price, 8]) });
  }
  const oracle = await deploy('AaveOracle', [
    addressesProvider,
    assets.map(({ token }) => token),
    assets.map(({ feed }) => feed),
    zeroAddress,
    zeroAddress,
    100_000_000n,
  ]);
  await chain.send([provider('setPriceOracle', oracle)]);
  const head = await chain.head();
  const [pool, configurator] = (await chain.readMany(
    ['getPool', 'getPoolConfigurator'].map((name) => ({
      to: addressesProvider,
      abi: artifacts['PoolAddressesProvider']!.abi,
      name,
    })),
    head,
  )) as [Address, Address];
  const market: AaveV36Market = {
    pool,
    addressesProvider,
    poolAbi: artifacts['PoolInstance']!.abi,
    configurator,
    configuratorAbi: artifacts['PoolConfiguratorInstance']!.abi,
    assets,
  };
  const aTokenImpl = await deploy('ATokenInstance', [pool, zeroAddress, operator]);
  const variableDebtTokenImpl = await deploy('VariableDebtTokenInstance', [pool, zeroAddress]);
  await chain.send(
    assets.flatMap((asset) => listingCalls(market, asset, { aTokenImpl, variableDebtTokenImpl })),
  );
  return market;
}

function listingCalls(
  market: AaveV36Market,
  { listing: { symbol, ltv, threshold }, token }: AaveV36Market['assets'][number],
  implementations: { aTokenImpl: Address; variableDebtTokenImpl: Address },
): Call[] {
  const input = {
    ...implementations,
    underlyingAsset: token,
    aTokenName: `a${symbol}`,
    aTokenSymbol: `a${symbol}`,
    variableDebtTokenName: `v${symbol}`,
    variableDebtTokenSymbol: `v${symbol}`,
    params: '0x' as Hex,
    interestRateData: RATES,
  };
  return [
    configure(market, 'initReserves', [[input]]),
    ...(threshold > 0
      ? [configure(market, 'configureReserveAsCollateral', [token, ltv, threshold, 10_500])]
      : []),
    configure(market, 'setReserveBorrowing', [token, true]),
    configure(market, 'setReserveFactor', [token, 1_000]),
  ];
}

/** A call of the market's configurator, by its admin. */
export function configure(market: AaveV36Market, name: string, args: readonly unknown[]): Call {
  return { to: market.configurator, abi: market.configuratorAbi, name, args, gas: 6_000_000n };
}
