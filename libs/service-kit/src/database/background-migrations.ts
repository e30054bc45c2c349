import { Injectable, Logger } from '@nestjs/common';
import { PeriodicService } from '../background/periodic-task';
import { Health } from '../health/health';
import { type LibraryMigration, migrate } from './migrate';

const RETRY_MS = 2_000;

/** The schema to migrate and the folder of its migrations. */
export interface MigrationSource {
  databaseUrl: string;
  schema: string;
  folder: string;
  library: readonly LibraryMigration[];
}

/** Applies the migrations of a running service and retries until the database is available. */
@Injectable()
export class BackgroundMigrations extends PeriodicService {
  private readonly logger = new Logger('database');
  private isApplied = false;

  constructor(
    private readonly source: MigrationSource,
    health: Health,
  ) {
    super({
      name: 'database',
      everyMs: RETRY_MS,
      failure: 'the migrations cannot be applied; they are tried again in two seconds',
    });
    const check = async (): Promise<void> => {
      if (!this.isApplied) throw new Error('the migrations are not applied yet');
    };
    health.register('migrations', check, { required: false });
  }

  protected async round(): Promise<void> {
    if (this.isApplied) return;
    const { databaseUrl, schema, folder, library } = this.source;
    const applied = await migrate(databaseUrl, schema, folder, library);
    this.isApplied = true;
    if (applied.length > 0) this.logger.log({ msg: 'migrations applied', schema, applied });
  }
}
