import { Logger } from '@nestjs/common';
import type { DatabaseConfig } from '../config/service.config';
import { type MigrationSource, migrate, missingMigrations } from './migrate';

/** The variables that decide who applies migrations. */
export type SchemaConfig = Pick<DatabaseConfig, 'DATABASE_URL' | 'MIGRATE_AT_START'>;

/** The schema is older than the service, which may not change it. */
export class SchemaNotMigratedError extends Error {
  constructor(schema: string, missing: readonly string[]) {
    super(
      `Schema ${schema} has ${missing.length} missing migrations, the first is ${missing[0]}. ` +
        'Run the same version with --migrate, then start it again. MIGRATE_AT_START=true applies them at start.',
    );
    this.name = 'SchemaNotMigratedError';
  }
}

/**
 * Applies the missing migrations, or only checks that there are none.
 * @throws SchemaNotMigratedError when some are missing and MIGRATE_AT_START is false
 */
export async function prepareSchema(
  { DATABASE_URL, MIGRATE_AT_START }: SchemaConfig,
  source: MigrationSource,
): Promise<void> {
  const { schema, folder, library } = source;
  if (!MIGRATE_AT_START) {
    const missing = await missingMigrations(DATABASE_URL, source);
    if (missing.length > 0) throw new SchemaNotMigratedError(schema, missing);
    return;
  }
  const applied = await migrate(DATABASE_URL, schema, folder, library);
  if (applied.length > 0) new Logger('database').log({ msg: 'migrations applied', schema, applied });
}
