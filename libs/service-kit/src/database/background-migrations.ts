import { Injectable } from '@nestjs/common';
import { PeriodicService } from '../background/periodic-task';
import { Health } from '../health/health';
import type { MigrationSource } from './migrate';
import { type SchemaConfig, prepareSchema } from './prepare-schema';

const RETRY_MS = 2_000;

/** Prepares the schema of a running service, and retries until the database is available. */
@Injectable()
export class BackgroundMigrations extends PeriodicService {
  private isApplied = false;

  constructor(
    private readonly config: SchemaConfig,
    private readonly source: MigrationSource,
    health: Health,
  ) {
    super({
      name: 'database',
      everyMs: RETRY_MS,
      failure: 'the schema is not ready; it is tried again in two seconds',
    });
    const check = async (): Promise<void> => {
      if (!this.isApplied) throw new Error('the migrations are not applied yet');
    };
    health.register('migrations', check, { required: false });
  }

  protected async round(): Promise<void> {
    if (this.isApplied) return;
    await prepareSchema(this.config, this.source);
    this.isApplied = true;
  }
}
