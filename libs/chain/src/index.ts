export { loadRegistry } from './registry/load-registry';
export { mergeOverlay, parseOverlay, RegistryOverlay } from './registry/overlay';
export {
  marketsOf,
  type ChainRow,
  type ContractRow,
  type MarketRow,
  type ProtocolRegistry,
  type ProtocolRow,
} from './registry/registry';
export { createChainClient, type ChainClient, type ChainClientOptions } from './rpc/chain-client';
export { ChainReadError, type ChainReadCode } from './rpc/chain-read-error';
export { readLatestHead, type Head } from './heads/head';
export { HeadWatcher, type HeadUpdate, type HeadWatcherOptions } from './heads/head-watcher';
export { Multicall } from './multicall/multicall';
export type { BlockRef } from './multicall/pinned-call';
export type {
  AccountsRead,
  Mismatch,
  PositionsRead,
  Probe,
  ProtocolReader,
  Unreadable,
} from './readers/protocol-reader';
export type { RawLeg, RawPosition } from './readers/raw-position';
export { AaveV3Reader } from './readers/aave-v3/aave-v3-reader';
export type { AaveV3Account } from './readers/aave-v3/accounts';
export type { AaveV3Market, AaveV3Reserve } from './readers/aave-v3/market';
