export { PERCENTAGE_FACTOR, RAY, WAD, percentMul, rayMul, wadDiv } from './fixed-point/math';
export {
  compoundedInterest,
  compoundedInterestV2,
  compoundedInterestV36,
  linearInterest,
  normalizedDebt,
  normalizedIncome,
  stableDebtBalance,
  type ReserveAccrual,
  type StableDebt,
} from './aave-v3/interest-math';
export {
  decodeReserveConfiguration,
  isBorrowing,
  isUsingAsCollateral,
  type ReserveParameters,
} from './aave-v3/math';
export {
  AAVE_V2,
  AAVE_V3_0,
  aaveV3AccountTotals,
  effectiveThresholdBps,
  supplyBalance,
  variableDebtBalance,
  type AaveV3AccountTotals,
  type AaveV3Arithmetic,
  type AaveV3Holding,
} from './aave-v3/math';
export {
  accrueMorphoMarket,
  morphoFigures,
  taylorCompounded,
  type MorphoFigures,
  type MorphoHolding,
  type MorphoMarketState,
} from './morpho-blue/math';
export { AAVE_V3_6 } from './aave-v3/math';
export {
  compoundTotals,
  compoundUnderlying,
  type CompoundHolding,
  type CompoundOrder,
  type CompoundTotals,
} from './compound-v2/math';
export { cometBalance, cometIndex, cometTotals, type CometCollateral, type CometTotals } from './comet/math';
export {
  troveHealthFactor,
  troveRatio,
  troveThreshold,
  type Trove,
  type TroveThresholds,
} from './liquity-v1/math';
export { dolomiteHealthFactor } from './dolomite/math';
export { llammaCollateralValue, llammaHealthFactor } from './llamma/math';
export { fluidDebtUsd, fluidFigures, fluidPrincipal, type FluidHolding } from './fluid/math';
export { eulerAccountNumber, eulerAccountOf, eulerHealthFactor } from './euler-v2/math';
export { liquityV2Figures } from './liquity-v2/math';
export { ilkRate, makerFigures, makerPrice, rayPow, type IlkFee, type MakerUrn } from './maker/math';
export {
  fraxlendAmount,
  fraxlendCollateralValue,
  fraxlendFigures,
  type FraxlendTotal,
} from './fraxlend/math';
export { aaveV4AccountTotals, aaveV4Debt, type AaveV4Debt, type AaveV4Holding } from './aave-v4/math';
export { siloDebt, siloDeposit, siloHealthFactor, type SiloTotal } from './silo-v2/math';
