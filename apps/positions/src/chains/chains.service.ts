import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type HeadWatcher, loadRegistry } from '@plimsoll/chain';
import { Health } from '@plimsoll/service-kit';
import { PositionsConfig } from '../config';
import { ChainTracker } from '../tracking/chain-tracker';
import { MarketTracker } from '../tracking/market-tracker';
import { PositionStore } from '../tracking/position-store';
import { TrackedWallets } from '../tracking/tracked-wallets';
import { connect, readersOf, watch } from './chain-connection';

/** The configured chains, each with its tracker, from the application's bootstrap to its shutdown. */
@Injectable()
export class ChainsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('chains');
  private trackers: ChainTracker[] = [];
  private watchers: HeadWatcher[] = [];

  constructor(
    private readonly config: PositionsConfig,
    private readonly store: PositionStore,
    private readonly tracked: TrackedWallets,
    health: Health,
  ) {
    health.register('chains', () => this.checkStart());
  }

  /** By ascending chain id. */
  all(): readonly ChainTracker[] {
    return this.trackers;
  }

  async onApplicationBootstrap(): Promise<void> {
    const registry = await loadRegistry(this.config.REGISTRY_OVERLAY || undefined);
    await this.tracked.start();
    const settings = {
      rpcTimeoutMs: this.config.RPC_TIMEOUT_MS,
      pollIntervalMs: this.config.BLOCK_POLL_INTERVAL_MS,
    };
    for (const endpoint of this.config.RPC_URL.chains) {
      const client = connect(endpoint, settings);
      const markets = readersOf(registry, client).map((reader) => new MarketTracker(reader));
      const tracker = new ChainTracker(endpoint.chainId, markets, this.store, this.tracked, Math.random);
      this.trackers.push(tracker);
      this.watchers.push(watch(client, endpoint, settings, tracker));
      this.logger.log({
        msg: 'chain is followed',
        chainId: endpoint.chainId,
        markets: markets.map(({ reader }) => reader.row.market),
        isPushed: endpoint.wsUrl !== undefined,
      });
    }
    this.tracked.onChange(() => this.trackers.forEach((tracker) => tracker.wake()));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.watchers.map((watcher) => watcher.close()));
    await Promise.all(this.trackers.map((tracker) => tracker.close()));
  }

  /**
   * Not ready until every chain was tried once. A chain that fails later does not count: the stored rows can still be
   * read, every instance has the same node, and taking all of them out would turn a degraded answer into none.
   */
  private checkStart(): Promise<void> {
    const waiting = this.trackers.filter((tracker) => !tracker.hasTried).map(({ chainId }) => chainId);
    if (this.trackers.length > 0 && waiting.length === 0) return Promise.resolve();
    return Promise.reject(
      new Error(`the first block of ${waiting.join(', ') || 'every chain'} is not read yet`),
    );
  }
}
