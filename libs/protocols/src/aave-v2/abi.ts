import { parseAbi } from 'viem';

export const v2ProviderAbi = parseAbi(['function getLendingPool() view returns (address)']);

export const v2PoolAbi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 variableBorrowIndex; uint128 currentLiquidityRate; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint8 id; }',
  'function getReservesList() view returns (address[])',
  'function getReserveData(address asset) view returns (ReserveData)',
]);
