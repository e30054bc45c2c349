import { Injectable } from '@nestjs/common';
import { Clock, PeriodicService, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../accounts/watches.repository';
import { AlertsConfig } from '../config';
import { DueOpeningsRepository } from '../positions/due-openings.repository';
import { EvaluationService } from './evaluation.service';

/** Due alerts of one transaction. The limit keeps locks on positions short. */
const LIMIT = 200;

/** Opens alerts whose condition is still met when their cooldown ends. Any number of instances may poll. */
@Injectable()
export class DueOpeningsPoller extends PeriodicService {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    config: AlertsConfig,
    private readonly watches: WatchesRepository,
    private readonly due: DueOpeningsRepository,
    private readonly evaluation: EvaluationService,
  ) {
    super({
      name: 'due-openings',
      everyMs: config.DUE_POLL_MS,
      failure: 'due alerts cannot be opened; the next poll tries again',
    });
  }

  /** @returns whether more may be due */
  protected async round(): Promise<boolean> {
    const nowMs = this.clock.now();
    if (!(await this.due.any(this.pool, nowMs))) return false;
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      const evaluations = await this.due.lock(tx, nowMs, LIMIT);
      await this.evaluation.run(tx, evaluations);
      return evaluations.length === LIMIT;
    });
  }
}
