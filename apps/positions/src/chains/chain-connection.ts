import {
  type BlockRef,
  type ChainClient,
  type ChainEndpoint,
  ChainRecording,
  HeadWatcher,
  type MarketRow,
  Multicall,
  type ProtocolRegistry,
  type RpcHeader,
  type Transaction,
  callRecordingClient,
  createChainClient,
  isPinnedTo,
  parseHead,
  recordingClient,
} from '@plimsoll/evm';
import {
  type HoldingsIndex,
  type MarketLists,
  type ProtocolReader,
  createReaders,
  marketListsOf,
  ownerProxiesOf,
} from '@plimsoll/protocols';
import type { Hex } from 'viem';
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
  readonly multicall: Multicall;
  /** Symbol of the chain's own coin. */
  readonly coin: string;
  /** Readers of rows that the chain listed. */
  readersOf(rows: readonly MarketRow[]): ProtocolReader<unknown, unknown>[];
  /**
   * A reader of a row that begins without a layout and records its calls. Null when the node does not have the block.
   * @throws ChainReadError
   */
  recorded(row: MarketRow, blockHash: Hex): Promise<RecordedReader | null>;
  /** A reader that keeps its layout over blocks, and records the calls of each. It has the market of a reader of the same row. */
  recordedMarket(followed: ProtocolReader<unknown, unknown>): RecordedMarket;
}

/** A reader of one block, and the calls that it made. */
export interface RecordedReader {
  reader: ProtocolReader<unknown, unknown>;
  block: BlockRef;
  recording: ChainRecording;
}

/** A reader of many blocks. */
export interface RecordedMarket {
  /** With a new recording. Null when the node does not have the block. @throws ChainReadError */
  at(blockHash: Hex): Promise<RecordedReader | null>;
  /** Adds the results of calls at a block of the reader to its recording. @throws ChainReadError */
  add(calls: readonly Transaction[], block: BlockRef): Promise<void>;
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
  const partsOver = (over: ChainClient) => {
    const own = { client: over, multicall: new Multicall(over, chain.multicall3), index };
    const proxies = ownerProxiesOf(registry, own);
    return { ...own, ...(proxies && { proxies }) };
  };
  const parts = partsOver(client);
  const readers = createReaders(registry, parts);
  if (readers.length === 0) {
    throw new Error(
      `No market of chain ${client.chainId} can be read. Unset RPC_URL_${client.chainId}, or add one to REGISTRY_OVERLAY.`,
    );
  }
  const lists = marketListsOf(registry, parts);
  const recordingOf = async (blockHash: Hex): Promise<ChainRecording | null> => {
    const header = await client.request<RpcHeader | null>('eth_getBlockByHash', [blockHash, false]);
    return header && new ChainRecording(client.chainId, chain.multicall3, header);
  };
  return {
    readers,
    lists,
    multicall: parts.multicall,
    coin: chain.nativeCurrency,
    readersOf: (rows) => createReaders(registry, parts, rows),
    recorded: async (row, blockHash) => {
      const recording = await recordingOf(blockHash);
      if (!recording) return null;
      const [reader] = createReaders(registry, partsOver(recordingClient(client, recording)), [row]);
      if (!reader) throw new Error(`no reader of ${row.market}, which a reader reads`);
      return { reader, block: parseHead(recording.block), recording };
    },
    recordedMarket: (followed) => {
      const { row } = followed;
      // A reading of the block before may still run. A call at another block belongs to no recording.
      let recordings: readonly ChainRecording[] = [];
      const over = partsOver(
        callRecordingClient(client, (pin) => recordings.find(({ block }) => isPinnedTo(pin, block))),
      );
      const [reader] = createReaders(registry, over, [row]);
      if (!reader) throw new Error(`no reader of ${row.market}, which a reader reads`);
      return {
        at: async (blockHash) => {
          const recording = await recordingOf(blockHash);
          if (!recording) return null;
          const former = recordings.filter(({ block }) => block.hash !== blockHash).slice(-1);
          recordings = [...former, recording];
          const block = parseHead(recording.block);
          reader.shareMarket?.(followed, block);
          return { reader, block, recording };
        },
        add: async (calls, block) => {
          const plan = { calls: calls.map(({ to, data }) => ({ target: to, data, decode: () => null })) };
          await over.multicall.read({ ...plan, assemble: () => null }, block);
        },
      };
    },
  };
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
