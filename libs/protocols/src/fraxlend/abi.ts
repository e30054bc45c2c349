import { parseAbi } from 'viem';

// addInterest() and updateExchangeRate() store the values that they return. An eth_call returns the values
// that a liquidation in this block would use.
export const fraxlendAbi = parseAbi([
  'function getAllPairAddresses() view returns (address[])',
  'function asset() view returns (address)',
  'function collateralContract() view returns (address)',
  'function maxLTV() view returns (uint256)',
  'function totalBorrow() view returns (uint128 amount, uint128 shares)',
  'function totalAsset() view returns (uint128 amount, uint128 shares)',
  'function totalCollateral() view returns (uint256)',
  'function previewAddInterest() view returns (uint256 interestEarned, uint256 feesAmount, uint256 feesShare)',
  'function addInterest() view returns (uint256 interestEarned)',
  'function getUserSnapshot(address user) view returns (uint256 assetShares, uint256 borrowShares, uint256 collateral)',
]);

/** Pairs from version 2 on return two rates, and liquidate at the lower one. */
export const twoRatesAbi = parseAbi([
  'function updateExchangeRate() view returns (bool isBorrowAllowed, uint256 low, uint256 high)',
]);
/** Pairs of the first version return one rate. */
export const oneRateAbi = parseAbi(['function updateExchangeRate() view returns (uint256)']);
