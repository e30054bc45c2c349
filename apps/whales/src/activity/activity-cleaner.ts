import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '@plimsoll/service-kit';
import { Clock } from '../clock';
import { NativeFundersRepository } from '../clusters/native-funders.repository';
import { TransfersRepository } from '../clusters/transfers.repository';
import { WhalesConfig } from '../config';
import { ActivityRepository } from './activity.repository';

const EVERY_MS = 600_000;
const DAY_MS = 86_400_000;

/** Deletes old moves, and the data of wallets that have none left. Any number of instances may run it. */
@Injectable()
export class ActivityCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly config: WhalesConfig,
    private readonly activity: ActivityRepository,
    private readonly transfers: TransfersRepository,
    private readonly funders: NativeFundersRepository,
    private readonly clock: Clock,
  ) {
    this.task = new PeriodicTask({
      name: 'activity-cleaner',
      everyMs: EVERY_MS,
      waitsFirst: true,
      round: () => this.clean(),
      failure: 'old moves cannot be deleted; the cleaner tries again in ten minutes',
      random: () => clock.random(),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes some of it. Returns whether there may be more. */
  async clean(): Promise<boolean> {
    const beforeMs = this.clock.now() - this.config.ACTIVITY_DAYS * DAY_MS;
    const hasMoreMoves = await this.activity.forgetBefore(beforeMs);
    const hasMoreWallets = await this.transfers.forgetWallets();
    const hasMoreTransfers = await this.transfers.forgetTransfers();
    const hasMoreFunders = await this.funders.forget();
    return hasMoreMoves || hasMoreWallets || hasMoreTransfers || hasMoreFunders;
  }
}
