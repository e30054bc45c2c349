import { Injectable } from '@nestjs/common';
import { PeriodicService, Clock } from '@plimsoll/service-kit';
import { NativeFundersRepository } from '../clusters/native-funders.repository';
import { TransfersRepository } from '../clusters/transfers.repository';
import { WhalesConfig } from '../config';
import { ActivityRepository } from './activity.repository';

const EVERY_MS = 600_000;
const DAY_MS = 86_400_000;

/** Deletes old moves, and the data of wallets that have none left. Any number of instances may run it. */
@Injectable()
export class ActivityCleaner extends PeriodicService {
  constructor(
    private readonly config: WhalesConfig,
    private readonly activity: ActivityRepository,
    private readonly transfers: TransfersRepository,
    private readonly funders: NativeFundersRepository,
    private readonly clock: Clock,
  ) {
    super({
      name: 'activity-cleaner',
      everyMs: EVERY_MS,
      waitsFirst: true,
      failure: 'old moves cannot be deleted; the cleaner tries again in ten minutes',
      random: () => clock.random(),
    });
  }

  protected round(): Promise<boolean> {
    return this.clean();
  }

  /** Deletes some rows. Returns whether more may remain. */
  async clean(): Promise<boolean> {
    const beforeMs = this.clock.now() - this.config.ACTIVITY_DAYS * DAY_MS;
    const hasMoreMoves = await this.activity.forgetBefore(beforeMs);
    const hasMoreWallets = await this.transfers.forgetWallets();
    const hasMoreTransfers = await this.transfers.forgetTransfers();
    const hasMoreFunders = await this.funders.forget();
    return hasMoreMoves || hasMoreWallets || hasMoreTransfers || hasMoreFunders;
  }
}
