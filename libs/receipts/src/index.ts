export {
  CanonicalText,
  NotCanonical,
  canonicalJson,
  parseCanonical,
  type CanonicalCode,
  type Json,
} from './canonical';
export { numberText } from './number-text';
export {
  logEntry,
  rootEntry,
  signedRoot,
  wrongLogPart,
  type LogAnchor,
  type LogConsistency,
  type LogInclusion,
  type LogRoot,
} from './log';
export {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  isIncluded,
  leafBytes,
  rootOfNodes,
  rootOfSubtrees,
  subtreesOf,
  type Range,
} from './merkle';
export {
  wrongCrossingPart,
  type CrossingContent,
  type CrossingReading,
  type CrossingReceipt,
} from './crossing-receipt';
export {
  wrongForecastPart,
  wrongUnsignedForecastPart,
  type ForecastContent,
  type ForecastReceipt,
  type StatedForecast,
} from './forecast-receipt';
export { LEVEL_EDGES, levelOf, type Level } from './level';
export { liquidationPrices } from './liquidation';
export {
  signedText,
  wrongPart,
  type FullReceipt,
  type LiquidationPrice,
  type Receipt,
  type ReceiptCall,
  type ReceiptContent,
  type ReceiptFigures,
  type ReceiptInput,
  type ReceiptPrice,
} from './receipt';
export {
  wrongSimulationPart,
  wrongUnsignedSimulationPart,
  type SimulatedCollateral,
  type SimulatedDebt,
  type SimulationContent,
  type SimulationData,
  type SimulationReceipt,
} from './simulation-receipt';
