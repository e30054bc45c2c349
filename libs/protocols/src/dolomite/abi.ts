import { parseAbi } from 'viem';

/** DolomiteMargin (dolomite-exchange/dolomite-margin). */
export const marginAbi = parseAbi([
  'struct Info { address owner; uint256 number; }',
  'struct Value { uint256 value; }',
  'struct Par { bool sign; uint128 value; }',
  'struct Wei { bool sign; uint256 value; }',
  'function getNumMarkets() view returns (uint256)',
  'function getMarketTokenAddress(uint256 marketId) view returns (address)',
  'function getMarketPrice(uint256 marketId) view returns (Value)',
  'function getMarketMarginPremium(uint256 marketId) view returns (Value)',
  'struct TotalPar { uint128 borrow; uint128 supply; }',
  'struct Index { uint112 borrow; uint112 supply; uint32 lastUpdate; }',
  'function getMarketTotalPar(uint256 marketId) view returns (TotalPar)',
  'function getMarketCurrentIndex(uint256 marketId) view returns (Index)',
  'function getMarketInterestRate(uint256 marketId) view returns (Value)',
  'function getMarketEarningsRateOverride(uint256 marketId) view returns (Value)',
  'function getEarningsRate() view returns (Value)',
  'function getMarginRatio() view returns (Value)',
  'function getDefaultAccountRiskOverrideSetter() view returns (address)',
  'function getMarginRatioOverrideByAccount(Info account) view returns (Value)',
  'function getAccountBalances(Info account) view returns (uint256[] marketIds, address[] tokens, Par[] pars, Wei[] weis)',
  'function getAdjustedAccountValues(Info account) view returns (Value supply, Value borrow)',
]);
