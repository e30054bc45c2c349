export { assetsOf, type CollateralLeg, type DebtLeg, type RiskPosition } from './position/position';
export { riskPosition, unitPriceUsd, type HeldAsset, type HeldAssets } from './position/held-position';
export { priceSymbol, symbolsOfPrice } from './position/price-symbol';
export { scaledToHealthFactor } from './position/scale';
export { healthFactor, positionTotals, type PositionTotals } from './position/totals';
export {
  assertHeld,
  shockPosition,
  UnknownAssetError,
  whatIf,
  type PriceShock,
  type WhatIfResult,
} from './position/what-if';
export {
  distancePercent,
  liquidationPrice,
  volatileDistancePercent,
  volatileScaleAtLiquidation,
} from './position/liquidation-price';
export {
  DEFAULT_CLOSE_FACTOR,
  FULL_CLOSE_HEALTH_FACTOR,
  FULL_CLOSE_RESERVE_USD,
  liquidationCall,
  type LiquidationCall,
} from './position/liquidation-call';
export { scenarioLoss, type LossSplit, type ScenarioLoss } from './position/scenario-loss';
export {
  DEPTH_MODEL,
  depthOf,
  saleAtImpact,
  priceImpact,
  slippageUsd,
  type Depth,
  type DepthAsset,
  type DepthBasis,
} from './depth/depth';
export type { DepthClass } from './depth/measured-depths';
export {
  addToTarget,
  assertTarget,
  repayToTarget,
  sellToTarget,
  type SellCollateral,
} from './position/deleverage';
export {
  remedyAmount,
  type HealthModel,
  type RawCollateral,
  type RawLeg,
  type RawPosition,
  type RemedyAction,
  type RemedyAmount,
} from './position/remedy';
export { carryDays } from './position/carry';
export { logNormalCdf, normalCdf, normalInverse, normalPdf } from './statistics/normal';
export {
  percentiles,
  quantileSorted,
  sorted,
  type Percentiles,
  type QuantileType,
} from './statistics/quantile';
export {
  annualVolatility,
  DAYS_PER_YEAR,
  mean,
  sharpeRatio,
  simpleReturns,
  standardDeviation,
} from './statistics/returns';
export { expectedShortfall, historicalVar, parametricVar, tailMean } from './statistics/value-at-risk';
export { portfolioRisk, type NetExposure, type PortfolioRisk } from './statistics/portfolio-risk';
export {
  EWMA_LAMBDA,
  ewmaCovariance,
  ewmaVolatility,
  horizonCovariance,
  longRunCovariance,
} from './statistics/ewma';
export {
  GARCH_ALPHA,
  GARCH_BETA,
  garchFilter,
  type GarchParameters,
  type GarchState,
} from './statistics/garch';
export {
  brierScore,
  calibratedCalibrationError,
  equalCountBins,
  expectedCalibrationError,
  forecastCells,
  logScore,
  type ForecastCell,
  type ScoredForecast,
} from './statistics/forecast-scores';
export {
  ALARM_EVIDENCE,
  betFactors,
  calibrationAlarm,
  type CalibrationAlarm,
  type CalibrationEvidence,
  type Cohort,
} from './statistics/calibration-watch';
export { marketOver, type CovarianceFigures } from './simulation/covariance-figures';
export { cholesky, type Matrix } from './statistics/matrix';
export {
  barrierTouch,
  daysToLiquidation,
  firstPassageProbability,
  ratioProcess,
  terminalHealthFactor,
  type LogHealthProcess,
  type PriceLaw,
} from './first-passage/first-passage';
export { childSeed, randomBits, seedOf, type RandomBits } from './random/random';
export { ScrambledSobol } from './random/scrambled-sobol';
export { SOBOL_DIMENSIONS } from './random/sobol-directions';
export type { PriceMarket } from './simulation/health-model';
export { SimulationCancelled, type SimulationOptions, type SimulationResult } from './simulation/simulation';
export { simulateGbm } from './simulation/gbm';
export { MODEL_VERSIONS, simulate, type SimulationTask, type TaskResult } from './simulation/simulate';
export {
  filterHistory,
  HISTORY_DAYS,
  historicalDrift,
  type AssetResiduals,
  type DailyHistory,
  type FilteredHistory,
  type FilterOptions,
} from './simulation/history/filtered-history';
export {
  simulateHistorical,
  type HistoricalOptions,
  type HistoricalResult,
} from './simulation/history/historical';
export { NEVER, PASSAGE_QUANTILES, passageDays, type PassageDays } from './simulation/passage-days';
export {
  touchedWithin,
  touchError,
  walkHistorical,
  type TouchDays,
} from './simulation/history/historical-walk';
export { upperBoundOfNone } from './simulation/replicates';
export { MEAN_BLOCK_DAYS } from './simulation/history/block-bootstrap';
export { simulateDailySteps } from './simulation/daily-steps';
export type { Estimate } from './simulation/simulate-touch';
export {
  riskFactors,
  riskLabel,
  riskScore,
  type RiskFactors,
  type RiskLabel,
  type RiskScoreInput,
  type RiskTier,
  LEVEL_FLOORS,
  scoreOfLevel,
  type ScoredLevel,
} from './score/risk-score';
export { closedTouchProbability, logHealthVolatility } from './simulation/log-health';
export { ALWAYS_UNAFFECTED, BOOK_ERROR, RANGE_ERROR, type UnaffectedRange } from './book/book-rows';
export { PositionBook, type BookLeg } from './book/position-book';
