import { contractOf, readAll, type BlockRef } from '@plimsoll/evm';
import { parseAbi } from 'viem';
import { oracleAbi, poolAbi } from '../aave-v3/abi';
import { readAddresses, readAssets, type AaveV3Layout, type PoolCalls } from '../aave-v3/layout';
import type { ReadScope } from '../reader/family';

const v2ProviderAbi = parseAbi(['function getLendingPool() view returns (address)']);

export const v2PoolAbi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 variableBorrowIndex; uint128 currentLiquidityRate; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint8 id; }',
  'function getReserveData(address asset) view returns (ReserveData)',
]);

/** Older oracles do not state their currency. It is ether. */
const ETHER_DECIMALS = 18;
/** Means "before v3": those pools have no POOL_REVISION. */
const REVISION = 0n;

export const V2_CALLS: PoolCalls = {
  addPool: (plan, provider) => plan.call(provider, v2ProviderAbi, 'getLendingPool', []),
  addReserve: (plan, pool, asset) => plan.call(pool, v2PoolAbi, 'getReserveData', [asset]),
};

/** The layout of a v2 market, in the form that v3 markets have. @throws ChainReadError */
export async function readLayout(scope: ReadScope, block: BlockRef): Promise<AaveV3Layout> {
  const addressesProvider = contractOf(scope.row, 'addressesProvider');
  const { pool, oracle } = await readAddresses(scope, addressesProvider, V2_CALLS, block);
  const { unit, list } = await readAll(scope, 'pool', block, (plan) => ({
    unit: plan.attempt(oracle, oracleAbi, 'BASE_CURRENCY_UNIT', []),
    list: plan.call(pool, poolAbi, 'getReservesList', []),
  }));
  return {
    addressesProvider,
    pool,
    oracle,
    revision: REVISION,
    priceDecimals: unit.ok ? unit.value.toString().length - 1 : ETHER_DECIMALS,
    assets: await readAssets(scope, pool, list, V2_CALLS, block),
    hasEModeBitmaps: false,
    eModes: [],
  };
}
