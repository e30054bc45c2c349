import {
  type BlockRef,
  type ChainClient,
  type ChainEndpoint,
  HeadWatcher,
  type MarketRow,
  Multicall,
  type ProtocolRegistry,
  createChainClient,
} from '@plimsoll/evm';
import {
  type HoldingsIndex,
  type MarketLists,
  type ProtocolReader,
  createReaders,
  marketListsOf,
  ownerProxiesOf,
} from '@plimsoll/protocols';
import type { ChainTracker } from '../tracking/chain-tracker';

/** Settings that all chains share. */
export interface ConnectionSettings {
  rpcTimeoutMs: number;
  pollIntervalMs: number;
}

export function connect(
  { chainId, rpcUrl, quorum }: ChainEndpoint,
  { rpcTimeoutMs }: ConnectionSettings,
): ChainClient {
  return createChainClient({ chainId, rpcUrl, quorum, timeoutMs: rpcTimeoutMs });
}

/** The markets of a chain with their readers. */
export interface ChainMarkets {
  readonly readers: readonly ProtocolReader<unknown, unknown>[];
  readonly lists: MarketLists;
  /** Readers of rows that the chain listed. */
  readersOf(rows: readonly MarketRow[]): ProtocolReader<unknown, unknown>[];
}

/**
 * Readers of every market of the chain in the registry whose family has a reader.
 * @throws when the registry does not know the chain, or no such market on it
 */
export function marketsOn(
  registry: ProtocolRegistry,
  client: ChainClient,
  index: HoldingsIndex,
): ChainMarkets {
  const chain = registry.chains.find(({ id }) => id === client.chainId);
  if (!chain) {
    throw new Error(
      `Chain ${client.chainId} of RPC_URL_${client.chainId} is not in the registry. Add it to REGISTRY_OVERLAY.`,
    );
  }
  const own = { client, multicall: new Multicall(client, chain.multicall3), index };
  const proxies = ownerProxiesOf(registry, own);
  const parts = { ...own, ...(proxies && { proxies }) };
  const readers = createReaders(registry, parts);
  if (readers.length === 0) {
    throw new Error(
      `No market of chain ${client.chainId} can be read. Unset RPC_URL_${client.chainId}, or add one to REGISTRY_OVERLAY.`,
    );
  }
  const lists = marketListsOf(registry, parts);
  return { readers, lists, readersOf: (rows) => createReaders(registry, parts, rows) };
}

/** Passes the chain's heads to its tracker until it is closed. */
export function watch(
  client: ChainClient,
  { wsUrl }: ChainEndpoint,
  { pollIntervalMs }: ConnectionSettings,
  tracker: ChainTracker,
  onBlock: (block: BlockRef) => void,
): HeadWatcher {
  return new HeadWatcher({
    client,
    ...(wsUrl !== undefined && { wsUrl }),
    pollIntervalMs,
    onHead: (update) => {
      tracker.offer(update);
      onBlock(update.head);
    },
    onResponse: () => tracker.onHead(),
    onError: (error) => tracker.headFailed(error),
  });
}
