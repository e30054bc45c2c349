import { parseAbi } from 'viem';

/** The functions that list and govern a market (Aave v3.0, PoolAddressesProvider, ACLManager, PoolConfigurator). */
export const governanceAbi = parseAbi([
  'function setPoolImpl(address implementation)',
  'function setPoolConfiguratorImpl(address implementation)',
  'function setACLAdmin(address admin)',
  'function setACLManager(address manager)',
  'function setPriceOracle(address oracle)',
  'function setPoolDataProvider(address dataProvider)',
  'function addPoolAdmin(address admin)',
  'function addEmergencyAdmin(address admin)',
]);

export const configuratorAbi = parseAbi([
  'struct InitReserveInput { address aTokenImpl; address stableDebtTokenImpl; address variableDebtTokenImpl; uint8 underlyingAssetDecimals; address interestRateStrategyAddress; address underlyingAsset; address treasury; address incentivesController; string aTokenName; string aTokenSymbol; string variableDebtTokenName; string variableDebtTokenSymbol; string stableDebtTokenName; string stableDebtTokenSymbol; bytes params; }',
  'function initReserves(InitReserveInput[] input)',
  'function configureReserveAsCollateral(address asset, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus)',
  'function setReserveBorrowing(address asset, bool enabled)',
  'function setReserveFlashLoaning(address asset, bool enabled)',
  'function setReserveStableRateBorrowing(address asset, bool enabled)',
  'function setReserveFactor(address asset, uint256 newReserveFactor)',
  'function setEModeCategory(uint8 categoryId, uint16 ltv, uint16 liquidationThreshold, uint16 liquidationBonus, address oracle, string label)',
  'function setAssetEModeCategory(address asset, uint8 newCategoryId)',
]);

/** The actions of a wallet on the market. */
export const poolAbi = parseAbi([
  'function ADDRESSES_PROVIDER() view returns (address)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)',
  'function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)',
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
  'function setUserUseReserveAsCollateral(address asset, bool useAsCollateral)',
  'function setUserEMode(uint8 categoryId)',
]);

export const tokenAbi = parseAbi([
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function totalSupply() view returns (uint256)',
]);

export const dataProviderAbi = parseAbi([
  'function getReserveTokensAddresses(address asset) view returns (address aToken, address stableDebtToken, address variableDebtToken)',
]);
