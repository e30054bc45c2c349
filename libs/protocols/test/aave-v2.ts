import { readFileSync } from 'node:fs';
import type { Artifact } from '@plimsoll/devnet';
import { zeroAddress, type Address } from 'viem';
import { standIns, type Call, type LocalChain } from './local-chain';

const RAY = 10n ** 27n;
const PERCENT = RAY / 100n;

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

/** A market of Aave v2 whose oracle is in ether. Assets are in the order of their listings. */
export interface AaveV2Market {
  addressesProvider: Address;
  pool: Address;
  poolAbi: Artifact['abi'];
  assets: { token: Address; feed: Address }[];
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
  const { Token, PriceFeed } = standIns();
  const assets: AaveV2Market['assets'] = [];
  for (const { symbol, decimals, priceWei } of listings) {
    const token = await chain.deploy(Token!, [symbol, decimals]);
    assets.push({ token, feed: await chain.deploy(PriceFeed!, [priceWei, 18]) });
  }
  const tokens = assets.map(({ token }) => token);

  const addressesProvider = await deploy('LendingPoolAddressesProvider', ['test']);
  const providerAbi = loadArtifact('LendingPoolAddressesProvider').abi;
  const provide = (name: string, address: Address): Call => ({
    to: addressesProvider,
    abi: providerAbi,
    name,
    args: [address],
    gas: 3_000_000n,
  });
  const feeds = assets.map(({ feed }) => feed);
  const oracle = await deploy('AaveOracle', [tokens, feeds, zeroAddress, tokens[weth]]);
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

  const configure = (name: string, args: readonly unknown[]): Call => ({
    to: configurator,
    abi: loadArtifact('LendingPoolConfigurator').abi,
    name,
    args,
    gas: 6_000_000n,
  });
  for (const [id, { symbol, decimals, ltv, threshold }] of listings.entries()) {
    const token = tokens[id]!;
    const rates = [80n, BigInt(2 + id), 4n, 75n, 2n, 75n].map((percent) => percent * PERCENT);
    const named = (prefix: string): string[] => [`${prefix}${symbol}`, `${prefix}${symbol}`];
    const implementations = [
      await deploy('AToken', [pool, token, operator, ...named('a'), zeroAddress]),
      await deploy('StableDebtToken', [pool, token, ...named('s'), zeroAddress]),
      await deploy('VariableDebtToken', [pool, token, ...named('v'), zeroAddress]),
    ];
    const strategy = await deploy('DefaultReserveInterestRateStrategy', [addressesProvider, ...rates]);
    await chain.send([
      {
        to: rateOracle,
        abi: loadArtifact('LendingRateOracle').abi,
        name: 'setMarketBorrowRate',
        args: [token, 5n * PERCENT],
      },
      configure('initReserve', [...implementations, decimals, strategy]),
      ...(threshold > 0 ? [configure('configureReserveAsCollateral', [token, ltv, threshold, 10_500])] : []),
      configure('enableBorrowingOnReserve', [token, true]),
      configure('setReserveFactor', [token, 1_000]),
    ]);
  }
  return {
    addressesProvider,
    pool: pool.toLowerCase() as Address,
    poolAbi: loadArtifact('LendingPool').abi,
    assets,
  };
}
