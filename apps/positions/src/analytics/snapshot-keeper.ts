import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { PeriodicService } from '@plimsoll/service-kit';
import { ChainsService } from '../chains/chains.service';
import { PositionsConfig } from '../config';
import type { MarketTracker } from '../tracking/market-tracker';
import { SnapshotPartitions } from './snapshot-partitions';
import { SnapshotThinning } from './snapshot-thinning';
import { SnapshotsRepository } from './snapshots.repository';

const POLL_MS = 60_000;
const POLLS_PER_INTERVAL = 10;
const MAINTENANCE_MS = 3_600_000;

/** Stores a snapshot of the tracked wallets once an interval, and limits the number of stored snapshots. */
@Injectable()
export class SnapshotKeeper extends PeriodicService implements OnModuleInit {
  private readonly logger = new Logger('snapshots');
  /** The interval of the last snapshot of each market. */
  private readonly written = new Map<MarketTracker, number>();
  private maintenanceAtMs = 0;

  constructor(
    private readonly config: PositionsConfig,
    private readonly chains: ChainsService,
    private readonly snapshots: SnapshotsRepository,
    private readonly partitions: SnapshotPartitions,
    private readonly thinning: SnapshotThinning,
  ) {
    super({
      name: 'snapshots',
      everyMs: Math.min(POLL_MS, config.SNAPSHOT_INTERVAL_MS / POLLS_PER_INTERVAL),
      waitsFirst: true,
      deadlineMs: MAINTENANCE_MS,
      failure: 'snapshots could not be written; the next round tries again',
    });
  }

  /** Changes are stored from the first block on. */
  onModuleInit(): Promise<void> {
    return this.partitions.make(new Date());
  }

  protected async round(): Promise<void> {
    const now = new Date();
    if (now.getTime() - this.maintenanceAtMs >= MAINTENANCE_MS) await this.saveDue(now);
    await this.writeDown(now);
  }

  private async saveDue(now: Date): Promise<void> {
    await this.partitions.make(now);
    const deleted = await this.thinning.run(now);
    await this.partitions.drop(now);
    this.maintenanceAtMs = now.getTime();
    this.logger.debug({ msg: 'old snapshots are thinned out', deleted });
  }

  /** A market that cannot be read now gets its snapshot when it can be read, in the same interval. */
  private async writeDown(now: Date): Promise<void> {
    const intervalMs = this.config.SNAPSHOT_INTERVAL_MS;
    const since = Math.floor(now.getTime() / intervalMs) * intervalMs;
    const reachable = this.chains.all().filter(({ headFailure }) => headFailure === null);
    for (const market of reachable.flatMap(({ markets }) => markets)) {
      const { figures, failure } = market;
      if (!figures || failure !== null || this.written.get(market) === since) continue;
      await this.snapshots.addMissing(new Date(since), figures.all());
      this.written.set(market, since);
    }
  }
}
