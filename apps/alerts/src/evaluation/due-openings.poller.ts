import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { Clock } from '../clock';
import { AlertsConfig } from '../config';
import { WatchesRepository } from '../watching/watches.repository';
import { EvaluationService } from './evaluation.service';
import { PositionsRepository } from './positions.repository';

/** Due alerts of one transaction, so that it never holds many positions for long. */
const LIMIT = 200;

/** Opens alerts whose condition still holds when their cooldown ends. Any number of instances may poll. */
@Injectable()
export class DueOpeningsPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('due-openings');
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly config: AlertsConfig,
    private readonly watches: WatchesRepository,
    private readonly positions: PositionsRepository,
    private readonly evaluation: EvaluationService,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.poll();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if ((await this.openDue()) === LIMIT) continue;
      } catch (error) {
        this.logger.warn({ msg: 'due alerts cannot be opened; they are tried again', err: error });
      }
      // Half of the wait is random, so that several instances do not look at the same moment.
      const waitMs = this.config.DUE_POLL_MS * (0.5 + Math.random());
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private openDue(): Promise<number> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      const due = await this.positions.lockDue(tx, this.clock.now(), LIMIT);
      await this.evaluation.run(tx, due);
      return due.length;
    });
  }
}
