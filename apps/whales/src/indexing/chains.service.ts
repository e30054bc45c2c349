import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  type Head,
  HeadWatcher,
  type LabelText,
  Multicall,
  type ProtocolRegistry,
  createChainClient,
  labelsOf,
  loadRegistry,
} from '@plimsoll/evm';
import { type ActivityReader, createActivityReaders, marketListsOf } from '@plimsoll/protocols';
import { Clock } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { WhalesConfig } from '../config';
import { ContextReader } from '../effects/context-reader';
import { EffectReader } from '../effects/effect-reader';
import type { ChainAccess } from './chain-access';
import { ChainIndexer } from './chain-indexer';
import { IndexStore } from './index-store';
import { RangeReader } from './range-reader';
import { RowBackfill } from './row-backfill';
import { RowBackfillStore } from './row-backfill.store';

/** The configured chains, each with its index, from the application's bootstrap to its shutdown. */
@Injectable()
export class ChainsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('chains');
  private readonly indexers: ChainIndexer[] = [];
  private readonly watchers: HeadWatcher[] = [];
  private readonly chains: ChainAccess[] = [];

  constructor(
    private readonly config: WhalesConfig,
    private readonly store: IndexStore,
    private readonly backfills: RowBackfillStore,
    private readonly clock: Clock,
  ) {}

  all(): readonly ChainAccess[] {
    return this.chains;
  }

  async onApplicationBootstrap(): Promise<void> {
    const registry = await loadRegistry(this.config.REGISTRY_OVERLAY || undefined);
    for (const endpoint of this.config.RPC_URL.chains) this.follow(endpoint, registry);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.watchers.map((watcher) => watcher.close()));
    await Promise.all(this.indexers.map((indexer) => indexer.close()));
  }

  private follow(
    { chainId, rpcUrl, wsUrl, quorum }: WhalesConfig['RPC_URL']['chains'][number],
    registry: ProtocolRegistry,
  ): void {
    const chain = registry.chains.find(({ id }) => id === chainId);
    if (!chain) {
      throw new Error(
        `Chain ${chainId} of RPC_URL_${chainId} is not in the registry. Add it to REGISTRY_OVERLAY.`,
      );
    }
    const client = createChainClient({ chainId, rpcUrl, quorum, timeoutMs: this.config.RPC_TIMEOUT_MS });
    const multicall = new Multicall(client, chain.multicall3);
    const parts = { client, multicall };
    const readers = createActivityReaders(registry, parts);
    const lists = marketListsOf(registry, parts);
    const labels = labelsOf(registry, chainId);
    const withContracts = (): ReadonlyMap<Address, LabelText> => withMarkets(labels, reader.opened);
    const effects = new EffectReader({ client, multicall, registry }, this.config.EFFECTS_BUDGET_MS, () =>
      this.clock.now(),
    );
    const context = new ContextReader(effects, withContracts, this.config.WHALE_THRESHOLD_USD);
    const reader: RangeReader = new RangeReader(client, readers, { context });
    const bounds = {
      backfillBlocks: this.config.BACKFILL_BLOCKS,
      stepBlocks: this.config.STEP_BLOCKS,
    };
    const backfill = new RowBackfill(client, reader, this.backfills, bounds);
    const listed = async (head: Head): Promise<readonly ActivityReader[]> => {
      const { added, failing } = (await lists.refresh(head)) ?? { added: [], failing: [] };
      for (const { row, reason } of failing)
        this.logger.warn({
          msg: 'the markets of a protocol cannot be listed',
          chainId,
          protocol: row.protocol,
          reason,
        });
      effects.add(added);
      return createActivityReaders(registry, parts, added);
    };
    const indexer = new ChainIndexer(client, reader, this.store, backfill, bounds, listed);
    this.indexers.push(indexer);
    this.chains.push({
      client,
      multicall,
      registry,
      rows: () => lists.rows,
      readers: () => reader.opened,
      labels: withContracts,
      isCaughtUp: () => indexer.isCaughtUp,
    });
    this.watchers.push(
      new HeadWatcher({
        client,
        ...(wsUrl !== undefined && { wsUrl }),
        pollIntervalMs: this.config.BLOCK_POLL_INTERVAL_MS,
        onHead: ({ head }) => indexer.offer(head),
        onError: (error) =>
          this.logger.warn({ msg: 'the head of the chain is unavailable', chainId, err: error }),
      }),
    );
    this.logger.log({
      msg: 'chain is indexed',
      chainId,
      markets: readers.map(({ row }) => row.market),
      isPushed: wsUrl !== undefined,
    });
  }
}

/** The labels, and every contract whose logs are read, because market tokens are in no registry row. */
function withMarkets(
  labels: ReadonlyMap<Address, LabelText>,
  readers: readonly ActivityReader[],
): ReadonlyMap<Address, LabelText> {
  const all = new Map(labels);
  for (const reader of readers) {
    for (const address of reader.filter().addresses)
      if (!all.has(address)) all.set(address, { kind: 'protocol', name: reader.row.protocol });
  }
  return all;
}
