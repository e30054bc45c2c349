import { parseAbi } from 'viem';

/** The functions of a spoke that are read (ISpoke of aave/aave-v4, as deployed: debts in ray). */
export const spokeAbi = parseAbi([
  'struct Reserve { address underlying; address hub; uint16 assetId; uint8 decimals; uint24 collateralRisk; uint8 flags; uint32 dynamicConfigKey; }',
  'struct DynamicConfig { uint16 collateralFactor; uint32 maxLiquidationBonus; uint16 liquidationFee; }',
  'struct UserPosition { uint120 drawnShares; uint120 premiumShares; int200 premiumOffsetRay; uint120 suppliedShares; uint32 dynamicConfigKey; }',
  'struct AccountData { uint256 riskPremium; uint256 avgCollateralFactor; uint256 healthFactor; uint256 totalCollateralValue; uint256 totalDebtValueRay; uint256 activeCollateralCount; uint256 borrowCount; }',
  'function ORACLE() view returns (address)',
  'function getReserveCount() view returns (uint256)',
  'function getReserve(uint256 reserveId) view returns (Reserve)',
  'function getDynamicReserveConfig(uint256 reserveId, uint32 dynamicConfigKey) view returns (DynamicConfig)',
  'function getReserveSuppliedAssets(uint256 reserveId) view returns (uint256)',
  'function getReserveTotalDebt(uint256 reserveId) view returns (uint256)',
  'function getUserReserveStatus(uint256 reserveId, address user) view returns (bool isCollateral, bool isBorrowing)',
  'function getUserPosition(uint256 reserveId, address user) view returns (UserPosition)',
  'function getUserSuppliedAssets(uint256 reserveId, address user) view returns (uint256)',
  'function getUserAccountData(address user) view returns (AccountData)',
]);
/** The hub that a reserve lends from. */
export const hubAbi = parseAbi(['function getAssetDrawnIndex(uint256 assetId) view returns (uint256)']);
/** The oracle of a spoke. */
export const oracleAbi = parseAbi(['function getReservePrice(uint256 reserveId) view returns (uint256)']);
