import { parseAbi, toEventSelector } from 'viem';

/** The factory, the config of a market, silos, share tokens and oracles (silo-contracts-v2). */
export const siloAbi = parseAbi([
  'struct ConfigData { uint256 daoFee; uint256 deployerFee; address silo; address token; address protectedShareToken; address collateralShareToken; address debtShareToken; address solvencyOracle; address maxLtvOracle; address interestRateModel; uint256 maxLtv; uint256 lt; uint256 liquidationTargetLtv; uint256 liquidationFee; uint256 flashloanFee; address hookReceiver; bool callBeforeQuote; }',
  'function getNextSiloId() view returns (uint256)',
  'function idToSiloConfig(uint256 id) view returns (address)',
  'function getSilos() view returns (address silo0, address silo1)',
  'function getConfig(address silo) view returns (ConfigData)',
  'function getConfigsForSolvency(address borrower) view returns (ConfigData collateral, ConfigData debt)',
  'function getCollateralAssets() view returns (uint256)',
  'function getDebtAssets() view returns (uint256)',
  'function getTotalAssetsStorage(uint8 assetType) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function quote(uint256 amount, address token) view returns (uint256)',
  'function quoteToken() view returns (address)',
]);
/** ISilo.AssetType of deposits that are not lent. */
export const PROTECTED = 0;
/** The transfer of a share token. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
