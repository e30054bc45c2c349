export type { Activity, ActivityRead, Permission } from './activity/activity';
export type { ActivityReader, PricedToken } from './activity/activity-reader';
export {
  parseActivity,
  readActivity,
  serialiseActivity,
  type ActivityReading,
  type RecordedActivity,
} from './activity/recorded-activity';
export {
  FAMILIES,
  createActivityReaders,
  createReaders,
  familyOf,
  marketListsOf,
  ownerProxiesOf,
  usdOraclesOf,
} from './families';
export { MarketLists, type IncompleteList } from './listing/market-lists';
export type { MarketList } from './listing/market-list';
export { figuresOf } from './reader/figures-of';
export { namedContracts } from './reader/named-contracts';
export { coversSubId, isProxiedSubId, type Proxy } from './reader/proxy';
export {
  Unexecutable,
  type ExecutionFamily,
  type PermitCall,
  type PlannedCall,
  type PositionActions,
} from './execution/execution-family';
export { amountOf, formatAmount } from './execution/format-amount';
export { aaveV3 } from './aave-v3/reader';
export type { IndexSource } from './reader/family';
export { FamilyReader, type ReaderParts } from './reader/family-reader';
export type { HoldingsIndex } from './reader/family';
export { logIndex } from './reader/log-index';
export { checkPositions, checkReading } from './check-reading';
export { verdictsOf } from './verdicts';
export {
  countChecks,
  differencesOf,
  type CheckCounts,
  type CheckedPositions,
} from './verdicts/checked-positions';
export {
  parseReading,
  serialiseReading,
  type RecordedReading,
  type RecordingDescription,
} from './verdicts/recorded-reading';
export { VERIFICATION, verificationOf, type FamilyVerification } from './reader/verification';
export {
  yearlyOf,
  type AssetRates,
  type RatePeriod,
  type RateUnit,
  type StatedRate,
} from './reader/asset-rates';
export type { Announcements, ChangeEffect, ParameterChange } from './reader/announcements';
export { totalsOf, type MarketTotals } from './reader/market-totals';
export type {
  AccountsRead,
  Mismatch,
  PositionsRead,
  Probe,
  ProtocolReader,
  ReadChange,
  TouchedWallets,
  Unreadable,
} from './reader/protocol-reader';
export type { Ratio, RatioLeg, Ratios } from './reader/ratios';
export {
  isReadable,
  type EModeChoice,
  type PositionFlag,
  type RawLeg,
  type RawPosition,
} from './reader/raw-position';
export { type Token, addToken } from './reader/tokens';
export type { ReserveKey, ReserveState } from './reader/market-totals';
