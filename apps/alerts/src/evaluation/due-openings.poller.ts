import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../accounts/watches.repository';
import { Clock } from '../clock';
import { AlertsConfig } from '../config';
import { DueOpeningsRepository } from '../positions/due-openings.repository';
import { EvaluationService } from './evaluation.service';

/** Due alerts of one transaction. The limit keeps locks on positions short. */
const LIMIT = 200;

/** Opens alerts whose condition is still met when their cooldown ends. Any number of instances may poll. */
@Injectable()
export class DueOpeningsPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    config: AlertsConfig,
    private readonly watches: WatchesRepository,
    private readonly due: DueOpeningsRepository,
    private readonly evaluation: EvaluationService,
  ) {
    this.task = new PeriodicTask({
      name: 'due-openings',
      everyMs: config.DUE_POLL_MS,
      round: () => this.openDue(),
      failure: 'due alerts cannot be opened; the next poll tries again',
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** @returns whether more may be due */
  private openDue(): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      const evaluations = await this.due.lock(tx, this.clock.now(), LIMIT);
      await this.evaluation.run(tx, evaluations);
      return evaluations.length === LIMIT;
    });
  }
}
