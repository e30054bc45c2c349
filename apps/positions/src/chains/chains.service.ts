import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  type BlockRef,
  type ChainClient,
  type HeadWatcher,
  type MarketRow,
  type ProtocolRegistry,
  loadRegistry,
} from '@plimsoll/evm';
import type { IncompleteList, ProtocolReader } from '@plimsoll/protocols';
import { Health } from '@plimsoll/service-kit';
import type { Address, Hex } from 'viem';
import { CorrelatedRisk } from '../bands/correlated-risk';
import { PositionsConfig } from '../config';
import { HoldingsIndexRepository } from '../indexing/holdings-index.repository';
import { LogIndex } from '../indexing/log-index';
import { failingLists } from '../metrics';
import { ChainTracker } from '../tracking/chain-tracker';
import { MarketTracker } from '../tracking/market-tracker';
import { PositionStore } from '../tracking/position-store';
import { TrackedWallets } from '../tracking/tracked-wallets';
import { VerdictWatch } from '../verification/verdict-watch';
import {
  type ChainMarkets,
  type RecordedMarket,
  type RecordedReader,
  connect,
  marketsOn,
  watch,
} from './chain-connection';

/** The configured chains, each with its tracker, from the application's bootstrap to its shutdown. */
@Injectable()
export class ChainsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('chains');
  private registry: ProtocolRegistry | undefined;
  private trackers: ChainTracker[] = [];
  private watchers: HeadWatcher[] = [];
  private readonly indices = new Map<number, LogIndex>();
  private readonly markets = new Map<ChainTracker, ChainMarkets>();
  private readonly clients = new Map<number, ChainClient>();

  constructor(
    private readonly config: PositionsConfig,
    private readonly store: PositionStore,
    private readonly tracked: TrackedWallets,
    private readonly correlatedRisk: CorrelatedRisk,
    private readonly indexRepository: HoldingsIndexRepository,
    private readonly verdicts: VerdictWatch,
    health: Health,
  ) {
    health.register('chains', () => this.checkStart());
  }

  /** The trackers by ascending chain id. */
  all(): readonly ChainTracker[] {
    return this.trackers;
  }

  /** The node of a chain. Undefined for a chain without one, and before the start. */
  clientOf(chainId: number): ChainClient | undefined {
    return this.clients.get(chainId);
  }

  /** Calls of a followed chain at one block, and the symbol of its own coin. */
  readsOf(tracker: ChainTracker): Pick<ChainMarkets, 'multicall' | 'coin'> {
    return this.markets.get(tracker)!;
  }

  /**
   * Prepares reads of the wallets by several readers of the chain, which then share their requests. Await it
   * first.
   */
  async prepareReads(chainId: number, wallets: readonly Address[], block: BlockRef): Promise<void> {
    await this.indices.get(chainId)?.prepare(wallets, block);
  }

  /**
   * A reader of the first wanted market that records its calls at the block. Null when no such market is followed, and
   * when the node does not have the block.
   * @throws ChainReadError
   */
  async recordedReader(
    isWanted: (row: MarketRow) => boolean,
    blockHash: Hex,
  ): Promise<RecordedReader | null> {
    for (const tracker of this.trackers) {
      const row = tracker.markets.map(({ reader }) => reader.row).find(isWanted);
      if (row) return this.markets.get(tracker)!.recorded(row, blockHash);
    }
    return null;
  }

  /** As recordedReader, for several blocks. Null when no such market is followed. */
  recordedMarket(isWanted: (row: MarketRow) => boolean): RecordedMarket | null {
    for (const tracker of this.trackers) {
      const followed = tracker.markets.find(({ reader }) => isWanted(reader.row));
      if (followed) return this.markets.get(tracker)!.recordedMarket(followed.reader);
    }
    return null;
  }

  /** The lists of markets that are missing or out of date, so that markets may be missing too. */
  incompleteLists(nowMs: number): IncompleteList[] {
    return [...this.markets.values()].flatMap(({ lists }) =>
      lists.incomplete(BigInt(Math.floor(nowMs / 1_000))),
    );
  }

  /** Ids of the chain's protocols in the registry. Null for an unknown chain. */
  protocolsOn(chainId: number): string[] | null {
    const { chains = [], protocols = [] } = this.registry ?? {};
    if (!chains.some(({ id }) => id === chainId)) return null;
    return protocols.filter((protocol) => String(chainId) in protocol.chains).map(({ id }) => id);
  }

  async onApplicationBootstrap(): Promise<void> {
    const registry = await loadRegistry(this.config.REGISTRY_OVERLAY || undefined);
    this.registry = registry;
    await this.tracked.start();
    const settings = {
      rpcTimeoutMs: this.config.RPC_TIMEOUT_MS,
      pollIntervalMs: this.config.BLOCK_POLL_INTERVAL_MS,
    };
    for (const endpoint of this.config.RPC_URL.chains) {
      const client = connect(endpoint, settings);
      const index = new LogIndex(client, this.indexRepository);
      this.indices.set(endpoint.chainId, index);
      this.clients.set(endpoint.chainId, client);
      const markets = marketsOn(registry, client, index);
      const tracker = new ChainTracker(
        endpoint.chainId,
        markets.readers.map((reader) => this.follow(reader)),
        this.store,
        this.tracked,
        Math.random,
      );
      this.trackers.push(tracker);
      this.markets.set(tracker, markets);
      this.watchers.push(
        watch(client, endpoint, settings, tracker, (block) => void this.addListed(tracker, markets, block)),
      );
      this.logger.log({
        msg: 'chain is followed',
        chainId: endpoint.chainId,
        markets: markets.readers.map(({ row }) => row.market),
        isPushed: endpoint.wsUrl !== undefined,
      });
    }
    this.tracked.onChange(() => this.trackers.forEach((tracker) => tracker.wake()));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.watchers.map((watcher) => watcher.close()));
    await Promise.all(this.trackers.map((tracker) => tracker.close()));
    await Promise.all([...this.indices.values()].map((index) => index.close()));
  }

  private follow(reader: ProtocolReader<unknown, unknown>): MarketTracker {
    return new MarketTracker(reader, this.correlatedRisk, this.verdicts.report);
  }

  /** Follows the markets that the chain lists since its lists were read last. Never rejects. */
  private async addListed(
    tracker: ChainTracker,
    { lists, readersOf }: ChainMarkets,
    block: BlockRef,
  ): Promise<void> {
    const { chainId } = tracker;
    try {
      const refreshed = await lists.refresh(block);
      if (!refreshed) return;
      failingLists.set({ chain: chainId }, refreshed.failing.length);
      for (const { row, reason } of refreshed.failing)
        this.logger.warn({
          msg: 'the markets of a protocol cannot be listed',
          chainId,
          protocol: row.protocol,
          reason,
        });
      const rows = refreshed.added;
      if (rows.length === 0) return;
      tracker.add(readersOf(rows).map((reader) => this.follow(reader)));
      const markets = rows.map(({ protocol, market }) => ({ protocol, market }));
      this.logger.log({ msg: 'listed markets are followed', chainId, markets });
    } catch (error) {
      this.logger.error({ msg: 'the lists of markets failed', chainId, err: error });
    }
  }

  /**
   * Not ready until every chain was tried once. A chain that fails later does not count: the stored rows can
   * still be read and every instance has the same node. Marking all instances unready would turn a degraded
   * response into none.
   */
  private checkStart(): Promise<void> {
    const waiting = this.trackers.filter((tracker) => !tracker.hasTried).map(({ chainId }) => chainId);
    if (this.trackers.length > 0 && waiting.length === 0) return Promise.resolve();
    return Promise.reject(
      new Error(`the first block of ${waiting.join(', ') || 'every chain'} is not read yet`),
    );
  }
}
