export { PERCENTAGE_FACTOR, RAY, WAD, percentMul, rayMul, wadDiv } from './fixed-point';
export {
  compoundedInterest,
  linearInterest,
  normalizedDebt,
  normalizedIncome,
  stableDebtBalance,
  type ReserveAccrual,
  type StableDebt,
} from './aave-v3/interest';
export {
  decodeReserveConfiguration,
  isBorrowing,
  isUsingAsCollateral,
  type ReserveParameters,
} from './aave-v3/bitmaps';
export {
  aaveV3AccountTotals,
  effectiveThresholdBps,
  supplyBalance,
  variableDebtBalance,
  type AaveV3AccountTotals,
  type AaveV3Holding,
} from './aave-v3/account';
