import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicTask } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { Clock } from '../clock';
import { ExecutionConfig } from '../config';

const DAY_MS = 86_400_000;
const EVERY_MS = 600_000;
const BATCH_ROWS = 1_000;

/** Deletes completed executions, and entries of the audit log, older than EXECUTION_DAYS. */
@Injectable()
export class ExecutionCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly config: ExecutionConfig,
  ) {
    this.task = new PeriodicTask({
      name: ExecutionCleaner.name,
      everyMs: EVERY_MS,
      round: () => this.clean(),
      failure: 'old executions could not be deleted; the next round tries again',
      waitsFirst: true,
      random: () => this.clock.random(),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes one batch of each. Returns true when there may be more. */
  async clean(): Promise<boolean> {
    const before = this.clock.now() - this.config.EXECUTION_DAYS * DAY_MS;
    const executions = await this.pool.query(
      `DELETE FROM executions WHERE id IN (
         SELECT id FROM executions
         WHERE updated_at < to_timestamp($1::float8 / 1000) AND status NOT IN ('pending', 'running') LIMIT $2)`,
      [before, BATCH_ROWS],
    );
    const audit = await this.pool.query(
      `DELETE FROM audit WHERE id IN (
         SELECT id FROM audit WHERE at < to_timestamp($1::float8 / 1000) LIMIT $2)`,
      [before, BATCH_ROWS],
    );
    return executions.rowCount === BATCH_ROWS || audit.rowCount === BATCH_ROWS;
  }
}
