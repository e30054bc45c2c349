import { parseAbi } from 'viem';

export const providerAbi = parseAbi([
  'function ADDRESSES_PROVIDER() view returns (address)',
  'function getPool() view returns (address)',
  'function getPriceOracle() view returns (address)',
]);

export const poolAbi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint128 accruedToTreasury; uint128 unbacked; uint128 isolationModeTotalDebt; }',
  'struct EModeCategory { uint16 ltv; uint16 liquidationThreshold; uint16 liquidationBonus; address priceSource; string label; }',
  'struct CollateralConfig { uint16 ltv; uint16 liquidationThreshold; uint16 liquidationBonus; }',
  'function POOL_REVISION() view returns (uint256)',
  'function getReservesList() view returns (address[])',
  'function getReserveData(address asset) view returns (ReserveData)',
  'function getEModeCategoryData(uint8 id) view returns (EModeCategory)',
  'function getEModeCategoryCollateralConfig(uint8 id) view returns (CollateralConfig)',
  'function getEModeCategoryCollateralBitmap(uint8 id) view returns (uint128)',
  'function getEModeCategoryBorrowableBitmap(uint8 id) view returns (uint128)',
  'function getEModeCategoryLtvzeroBitmap(uint8 id) view returns (uint128)',
  'function getUserConfiguration(address user) view returns (uint256)',
  'function getUserEMode(address user) view returns (uint256)',
  'function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)',
]);

export const oracleAbi = parseAbi([
  'function BASE_CURRENCY_UNIT() view returns (uint256)',
  'function getAssetPrice(address asset) view returns (uint256)',
  'function getSourceOfAsset(address asset) view returns (address)',
]);

export const tokenAbi = parseAbi([
  'function scaledBalanceOf(address user) view returns (uint256)',
  'function getTotalSupplyAndAvgRate() view returns (uint256 totalSupply, uint256 averageRate)',
  'function principalBalanceOf(address user) view returns (uint256)',
  'function getUserStableRate(address user) view returns (uint256)',
  'function getUserLastUpdated(address user) view returns (uint40)',
]);
