import { readFileSync } from 'node:fs';
import type { Artifact } from '@plimsoll/devnet';
import { zeroAddress, type Address } from 'viem';
import { standIns, type Call, type LocalChain } from './local-chain';

const RAY = 10n ** 27n;
const PERCENT = RAY / 100n;
/** More than any call of a wallet uses. */
const CALL_GAS = 1_200_000n;

/** The folder of each market contract in the artifacts of `@aave/protocol-v2`. */
const FOLDERS = {
  LendingPoolAddressesProvider: 'protocol/configuration',
  LendingPool: 'protocol/lendingpool',
  LendingPoolConfigurator: 'protocol/lendingpool',
  LendingPoolCollateralManager: 'protocol/lendingpool',
  DefaultReserveInterestRateStrategy: 'protocol/lendingpool',
  ReserveLogic: 'protocol/libraries/logic',
  GenericLogic: 'protocol/libraries/logic',
  ValidationLogic: 'protocol/libraries/logic',
  AToken: 'protocol/tokenization',
  StableDebtToken: 'protocol/tokenization',
  VariableDebtToken: 'protocol/tokenization',
  AaveOracle: 'misc',
  LendingRateOracle: 'mocks/oracle',
} as const;
type AaveV2Artifact = keyof typeof FOLDERS;

/** An asset to list. Thresholds are in basis points. A threshold of 0 means no collateral. */
export interface V2Listing {
  symbol: string;
  decimals: number;
  /** Wei of ether for a whole token. */
  priceWei: bigint;
  ltv: number;
  threshold: number;
}

interface V2Asset {
  token: Address;
  feed: Address;
}

/** A market of Aave v2 whose oracle is in ether. Assets are in the order of their listings. */
export interface AaveV2Market {
  addressesProvider: Address;
  pool: Address;
  assets: readonly V2Asset[];
  /** A call of the pool, or of a reserve's token. @param from whom, if not from the operator */
  call(
    of: 'LendingPool' | 'AToken',
    to: Address,
    name: string,
    args: readonly unknown[],
    from?: Address,
  ): Call;
  /** Deploys the contracts of a further reserve of a token. The calls list it. */
  prepare(listing: V2Listing, token: Address): Promise<V2Asset & { calls: readonly Call[] }>;
}

/** The artifact that the package ships: creation code as Aave compiled it. For tests only: AGPL, and never shipped. */
function loadArtifact(name: AaveV2Artifact): Artifact {
  const file = `@aave/protocol-v2/artifacts/contracts/${FOLDERS[name]}/${name}.sol/${name}.json`;
  return JSON.parse(readFileSync(require.resolve(file), 'utf8')) as Artifact;
}

/**
 * Deploys a market with its assets listed, all of them borrowable at variable and stable rates.
 * @param weth index of the asset that the oracle counts in
 */
export async function deployAaveV2(
  chain: LocalChain,
  listings: readonly V2Listing[],
  weth: number,
): Promise<AaveV2Market> {
  const { operator } = chain;
  const libraries: Record<string, Address> = {};
  const deploy = async (name: AaveV2Artifact, args: readonly unknown[] = []): Promise<Address> => {
    const artifact = loadArtifact(name);
    for (const library of Object.values(artifact.linkReferences).flatMap((file) => Object.keys(file)))
      libraries[library] ??= await deploy(library as AaveV2Artifact);
    return chain.deploy(artifact, args, libraries);
  };
  const addressesProvider = await deploy('LendingPoolAddressesProvider', ['test']);
  const providerAbi = loadArtifact('LendingPoolAddressesProvider').abi;
  const provide = (name: string, address: Address): Call => ({
    to: addressesProvider,
    abi: providerAbi,
    name,
    args: [address],
    gas: 3_000_000n,
  });
  const { Token, PriceFeed } = standIns();
  const tokens: Address[] = [];
  for (const { symbol, decimals } of listings) tokens.push(await chain.deploy(Token!, [symbol, decimals]));
  const oracle = await deploy('AaveOracle', [[], [], zeroAddress, tokens[weth]]);
  const rateOracle = await deploy('LendingRateOracle');
  await chain.send([
    provide('setPoolAdmin', operator),
    provide('setEmergencyAdmin', operator),
    provide('setPriceOracle', oracle),
    provide('setLendingRateOracle', rateOracle),
    provide('setLendingPoolImpl', await deploy('LendingPool')),
    provide('setLendingPoolConfiguratorImpl', await deploy('LendingPoolConfigurator')),
    provide('setLendingPoolCollateralManager', await deploy('LendingPoolCollateralManager')),
  ]);
  const [pool, configurator] = (await chain.readMany(
    ['getLendingPool', 'getLendingPoolConfigurator'].map((name) => ({
      to: addressesProvider,
      abi: providerAbi,
      name,
    })),
    await chain.head(),
  )) as [Address, Address];

  const call = (of: AaveV2Artifact, to: Address, name: string, args: readonly unknown[]): Call => {
    return { to, abi: loadArtifact(of).abi, name, args, gas: 6_000_000n };
  };
  const list = async (
    id: number,
    { symbol, decimals, priceWei, ltv, threshold }: V2Listing,
    token: Address,
  ) => {
    const feed = await chain.deploy(PriceFeed!, [priceWei, 18]);
    const rates = [80n, BigInt(2 + id), 4n, 75n, 2n, 75n].map((percent) => percent * PERCENT);
    const named = (prefix: string): string[] => [`${prefix}${symbol}`, `${prefix}${symbol}`];
    const implementations = [
      await deploy('AToken', [pool, token, operator, ...named('a'), zeroAddress]),
      await deploy('StableDebtToken', [pool, token, ...named('s'), zeroAddress]),
      await deploy('VariableDebtToken', [pool, token, ...named('v'), zeroAddress]),
    ];
    const strategy = await deploy('DefaultReserveInterestRateStrategy', [addressesProvider, ...rates]);
    const configure = (name: string, args: readonly unknown[]): Call =>
      call('LendingPoolConfigurator', configurator, name, args);
    const calls = [
      call('AaveOracle', oracle, 'setAssetSources', [[token], [feed]]),
      call('LendingRateOracle', rateOracle, 'setMarketBorrowRate', [token, 5n * PERCENT]),
      configure('initReserve', [...implementations, decimals, strategy]),
      ...(threshold > 0 ? [configure('configureReserveAsCollateral', [token, ltv, threshold, 10_500])] : []),
      configure('enableBorrowingOnReserve', [token, true]),
      configure('setReserveFactor', [token, 1_000]),
    ];
    return { token, feed, calls };
  };
  const assets: V2Asset[] = [];
  for (const [id, listing] of listings.entries()) {
    const { calls, ...asset } = await list(id, listing, tokens[id]!);
    await chain.send(calls);
    assets.push(asset);
  }
  return {
    addressesProvider,
    pool: pool.toLowerCase() as Address,
    assets,
    call: (of, to, name, args, from) => ({
      ...call(of, to, name, args),
      gas: CALL_GAS,
      ...(from && { from }),
    }),
    prepare: (listing, token) => list(listings.length, listing, token),
  };
}
