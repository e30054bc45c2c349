import {
  type ChainClient,
  type ChainEndpoint,
  HeadWatcher,
  Multicall,
  type ProtocolRegistry,
  createChainClient,
} from '@plimsoll/evm';
import { type HoldingsIndex, type ProtocolReader, createReaders } from '@plimsoll/protocols';
import type { ChainTracker } from '../tracking/chain-tracker';

/** Settings that all chains share. */
export interface ConnectionSettings {
  rpcTimeoutMs: number;
  pollIntervalMs: number;
}

export function connect(
  { chainId, rpcUrl }: ChainEndpoint,
  { rpcTimeoutMs }: ConnectionSettings,
): ChainClient {
  return createChainClient({ chainId, rpcUrl, timeoutMs: rpcTimeoutMs });
}

/**
 * Readers of every market of the chain in the registry whose family has a reader.
 * @throws when the registry does not know the chain, or no such market on it
 */
export function readersOf(
  registry: ProtocolRegistry,
  client: ChainClient,
  index: HoldingsIndex,
): ProtocolReader<unknown, unknown>[] {
  const chain = registry.chains.find(({ id }) => id === client.chainId);
  if (!chain) {
    throw new Error(
      `Chain ${client.chainId} of RPC_URL_${client.chainId} is not in the registry. Add it to REGISTRY_OVERLAY.`,
    );
  }
  const multicall = new Multicall(client, chain.multicall3);
  const readers = createReaders(registry, { client, multicall, index });
  if (readers.length === 0) {
    throw new Error(
      `No market of chain ${client.chainId} can be read. Unset RPC_URL_${client.chainId}, or add one to REGISTRY_OVERLAY.`,
    );
  }
  return readers;
}

/** Passes the chain's heads to its tracker until it is closed. */
export function watch(
  client: ChainClient,
  { wsUrl }: ChainEndpoint,
  { pollIntervalMs }: ConnectionSettings,
  tracker: ChainTracker,
): HeadWatcher {
  return new HeadWatcher({
    client,
    ...(wsUrl !== undefined && { wsUrl }),
    pollIntervalMs,
    onHead: (update) => tracker.offer(update),
    onResponse: () => tracker.onHead(),
    onError: (error) => tracker.headFailed(error),
  });
}
