export {
  labelsOf,
  LABEL_KINDS,
  allMarkets,
  contractOf,
  lowerCase,
  marketsOf,
  optionalContractOf,
  subjectOf,
  type AddressLabel,
  type ChainRow,
  type AccountRegistries,
  type ContractRow,
  type LabelKind,
  type LabelText,
  type MarketRow,
  type ProtocolRegistry,
  type ProtocolRow,
} from './registry/registry';
export { parseAddresses } from './registry/parse-addresses';
export { loadRegistry } from './registry/load-registry';
export { mergeOverlay, parseOverlay, RegistryOverlay } from './registry/overlay';
export { createChainClient, type ChainClient, type ChainClientOptions } from './rpc/chain-client';
export { ChainReadError, chainReadCode, type ChainReadCode } from './rpc/chain-read-error';
export {
  CHAIN_ENDPOINTS_VALIDATION,
  isNodeAddressVariable,
  parseChainEndpoints,
  type ChainEndpoint,
  type ChainEndpoints,
} from './rpc/chain-endpoints';
export {
  parseHead,
  readBlockHash,
  readHeadAt,
  readLatestHead,
  type Head,
  type RpcHeader,
} from './heads/head';
export { HeadWatcher, type HeadUpdate, type HeadWatcherOptions } from './heads/head-watcher';
export { encodeAggregate3Results } from './multicall/aggregate3';
export { callAfter, inOrderCall } from './multicall/in-order';
export { Multicall } from './multicall/multicall';
export { MulticallAfter } from './multicall/multicall-after';
export { type BlockRef, PinnedCall, type Transaction } from './multicall/pinned-call';
export { Simulation } from './multicall/simulation';
export { PlanBuilder, planOf, readAll, type CallResults, type Slot } from './multicall/plan-builder';
export { readCall, type Outcome, type ReadCall, type ReadPlan } from './multicall/read-call';
export { firstBlockOf, readLogs, type ChainLog, type LogFilter, type MinedLog } from './logs/read-logs';
export {
  ChainRecording,
  isPinnedTo,
  type BlockPin,
  type CallResult,
  type ChainRecordingJson,
  type RpcLogFilter,
  type RpcProof,
} from './recording/chain-recording';
export { callRecordingClient, recordingClient } from './recording/recording-client';
export { walletEvents, type WalletEvents } from './logs/wallet-events';
export { bumpedFees, type Fees } from './transactions/fees';
export {
  currentFees,
  inclusionOf,
  isKnown,
  readGasPrice,
  sendRaw,
  transactionCount,
  type Inclusion,
} from './transactions/transactions';
export { normalName } from './names/name';
export { ENS_REGISTRY, NameReader, type NameRecord } from './names/name-reader';
