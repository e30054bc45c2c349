import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicTask } from '../background/periodic-task';
import { Health } from '../health/health';
import { migrate } from './migrate';

const RETRY_MS = 2_000;

/** The schema to migrate and the folder of its migrations. */
export interface MigrationSource {
  databaseUrl: string;
  schema: string;
  folder: string;
}

/** Applies the migrations of a running service and retries until the database is available. */
@Injectable()
export class BackgroundMigrations implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('database');
  private readonly task: PeriodicTask;
  private isApplied = false;

  constructor(
    private readonly source: MigrationSource,
    health: Health,
  ) {
    this.task = new PeriodicTask({
      name: 'database',
      everyMs: RETRY_MS,
      round: () => this.apply(),
      failure: 'the migrations cannot be applied; they are tried again in two seconds',
    });
    const check = async (): Promise<void> => {
      if (!this.isApplied) throw new Error('the migrations are not applied yet');
    };
    health.register('migrations', check, { required: false });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  private async apply(): Promise<void> {
    if (this.isApplied) return;
    const { databaseUrl, schema, folder } = this.source;
    const applied = await migrate(databaseUrl, schema, folder);
    this.isApplied = true;
    if (applied.length > 0) this.logger.log({ msg: 'migrations applied', schema, applied });
  }
}
