import {
  encodeFunctionData,
  zeroAddress,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
} from 'viem';
import { linkBytecode, loadArtifact } from '../evm/artifacts';
import type { TransactionQueue } from '../evm/transaction-queue';
import { configuratorAbi } from './abis';
import { STABLE_E_MODE, type AssetListing } from './assets';
import type { MarketContracts } from './deploy-market';

const RAY = 10n ** 27n;
const percentRay = (percent: number): bigint => (RAY * BigInt(Math.round(percent * 100))) / 10_000n;

/** Constructor arguments of DefaultReserveInterestRateStrategy after the provider, in ray. */
const CURVES: Record<AssetListing['curve'], readonly bigint[]> = {
  stable: [90, 0, 4, 60, 0.5, 60, 1, 8, 20].map(percentRay),
  volatile: [80, 0, 3.8, 80, 4, 80, 2, 8, 20].map(percentRay),
};

/** Queues the listing of every asset: reserve, borrowing, collateral parameters, e-mode. */
export function queueListings(
  queue: TransactionQueue,
  operator: Address,
  market: MarketContracts,
  assets: readonly { listing: AssetListing; address: Address }[],
): void {
  const strategies = queueStrategies(queue, operator, market.addressesProvider);
  const configure = <N extends ConfiguratorCall>(
    functionName: N,
    args: ConfiguratorArgs<N>,
    gas?: bigint,
  ): void => {
    const data = encodeFunctionData({ abi: configuratorAbi, functionName, args } as Parameters<
      typeof encodeFunctionData
    >[0]);
    queue.call(operator, functionName, market.poolConfigurator, data, gas);
  };

  const { id, ltvBps, liquidationThresholdBps, liquidationBonusBps } = STABLE_E_MODE;
  configure('setEModeCategory', [
    id,
    ltvBps,
    liquidationThresholdBps,
    liquidationBonusBps,
    zeroAddress,
    'Stablecoins',
  ]);
  for (const { listing, address } of assets) {
    configure(
      'initReserves',
      [[reserveInput(market, strategies[listing.curve], listing, address)]],
      6_000_000n,
    );
    configure('configureReserveAsCollateral', [
      address,
      listing.ltvBps,
      listing.liquidationThresholdBps,
      listing.liquidationBonusBps,
    ]);
    configure('setReserveBorrowing', [address, true]);
    configure('setReserveFlashLoaning', [address, true]);
    configure('setReserveFactor', [address, listing.reserveFactorBps]);
    if (listing.stableRateBorrowing) configure('setReserveStableRateBorrowing', [address, true]);
    if (listing.eModeCategory) configure('setAssetEModeCategory', [address, listing.eModeCategory]);
  }
}

type ConfiguratorCall = ContractFunctionName<typeof configuratorAbi, 'nonpayable'>;
type ConfiguratorArgs<N extends ConfiguratorCall> = ContractFunctionArgs<
  typeof configuratorAbi,
  'nonpayable',
  N
>;

function queueStrategies(
  queue: TransactionQueue,
  operator: Address,
  provider: Address,
): Record<AssetListing['curve'], Address> {
  const artifact = loadArtifact('DefaultReserveInterestRateStrategy');
  const deploy = (curve: AssetListing['curve']): Address =>
    queue.deploy(operator, `${curve} rate strategy`, artifact.abi, linkBytecode(artifact, {}), [
      provider,
      ...CURVES[curve],
    ]);
  return { stable: deploy('stable'), volatile: deploy('volatile') };
}

function reserveInput(market: MarketContracts, strategy: Address, listing: AssetListing, address: Address) {
  const { symbol } = listing;
  return {
    aTokenImpl: market.aTokenImpl,
    stableDebtTokenImpl: market.stableDebtTokenImpl,
    variableDebtTokenImpl: market.variableDebtTokenImpl,
    underlyingAssetDecimals: listing.decimals,
    interestRateStrategyAddress: strategy,
    underlyingAsset: address,
    treasury: market.protocolDataProvider,
    incentivesController: zeroAddress,
    aTokenName: `Aave Local ${symbol}`,
    aTokenSymbol: `aLoc${symbol}`,
    variableDebtTokenName: `Aave Local Variable Debt ${symbol}`,
    variableDebtTokenSymbol: `variableDebtLoc${symbol}`,
    stableDebtTokenName: `Aave Local Stable Debt ${symbol}`,
    stableDebtTokenSymbol: `stableDebtLoc${symbol}`,
    params: '0x10',
  } as const;
}
