import { parseAbi, toEventSelector } from 'viem';

// fetchPrice() and getUnbackedPortionPriceAndRedeemability() store the values that they return. An eth_call
// returns the values that the block's transactions get.
export const liquityV2Abi = parseAbi([
  'struct LatestTrove { uint256 entireDebt; uint256 entireColl; uint256 redistBoldDebtGain; uint256 redistCollGain; uint256 accruedInterest; uint256 recordedDebt; uint256 annualInterestRate; uint256 weightedRecordedDebt; uint256 accruedBatchManagementFee; uint256 lastInterestRateAdjTime; }',
  'function totalCollaterals() view returns (uint256)',
  'function getToken(uint256 index) view returns (address)',
  'function getTroveManager(uint256 index) view returns (address)',
  'function boldToken() view returns (address)',
  'function troveNFT() view returns (address)',
  'function borrowerOperations() view returns (address)',
  'function sortedTroves() view returns (address)',
  'function shutdownTime() view returns (uint256)',
  'function lastZombieTroveId() view returns (uint256)',
  'function getLatestTroveData(uint256 troveId) view returns (LatestTrove)',
  'function getUnbackedPortionPriceAndRedeemability() view returns (uint256 unbacked, uint256 price, bool redeemable)',
  'function getCurrentICR(uint256 troveId, uint256 price) view returns (uint256)',
  'function getEntireBranchColl() view returns (uint256)',
  'function getEntireBranchDebt() view returns (uint256)',
  'function MCR() view returns (uint256)',
  'function getLast() view returns (uint256)',
  'function fetchPrice() view returns (uint256 price, bool failed)',
  'function ownerOf(uint256 troveId) view returns (address)',
]);

/** The transfer of a trove NFT. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
