export { loadRegistry } from './registry/load-registry';
export {
  LABEL_KINDS,
  labelsOf,
  type AddressLabel,
  type LabelKind,
  type LabelText,
} from './registry/address-labels';
export { mergeOverlay, parseOverlay, RegistryOverlay } from './registry/overlay';
export {
  allMarkets,
  marketsOf,
  type ChainRow,
  type ContractRow,
  type MarketRow,
  type ProtocolRegistry,
  type ProtocolRow,
} from './registry/registry';
export { createChainClient, type ChainClient, type ChainClientOptions } from './rpc/chain-client';
export { ChainReadError, type ChainReadCode } from './rpc/chain-read-error';
export {
  CHAIN_ENDPOINTS_VALIDATION,
  parseChainEndpoints,
  type ChainEndpoint,
  type ChainEndpoints,
} from './rpc/chain-endpoints';
export { readBlockHash, readHeadAt, readLatestHead, type Head } from './heads/head';
export { HeadWatcher, type HeadUpdate, type HeadWatcherOptions } from './heads/head-watcher';
export { Multicall } from './multicall/multicall';
export { readCall, type Outcome, type ReadCall, type ReadPlan } from './multicall/read-call';
export { PlanBuilder, type CallResults, type Slot } from './multicall/plan-builder';
export type { BlockRef } from './multicall/pinned-call';
export type {
  AccountsRead,
  Mismatch,
  PositionsRead,
  Probe,
  ProtocolReader,
  TouchedWallets,
  Unreadable,
} from './readers/protocol-reader';
export type { ReserveKey, ReserveState } from './readers/reserve-state';
export { totalsOf, type MarketTotals } from './readers/market-totals';
export type { EModeChoice, PositionFlag, RawLeg, RawPosition } from './readers/raw-position';
export type { Ratio, RatioLeg, Ratios } from './readers/ratios';
export type { HoldingsIndex } from './readers/holdings-index';
export type { IndexSource } from './readers/family';
export { FamilyReader, type ReaderParts } from './readers/family-reader';
export { aaveV3 } from './readers/aave-v3/aave-v3';
export { FAMILIES, createReaders } from './readers/families';
export { readLogs, type ChainLog, type LogFilter } from './logs/read-logs';
export { firstBlockOf } from './logs/first-block';
export { type MinedLog } from './logs/read-logs';
export type { Activity, ActivityRead, Permission } from './activity/activity';
export type { ActivityReader, PricedToken } from './activity/activity-reader';
export { ACTIVITY_FAMILIES, createActivityReaders } from './activity/activity-families';
