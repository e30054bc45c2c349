import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Pool } from 'pg';
import { type DatabaseConfig, ServiceConfig } from '../config/service.config';
import { Health } from '../health/health';
import { BackgroundMigrations } from './background-migrations';
import { type LibraryMigration, migrate } from './migrate';
import { createPool } from './pool';

/** Whether the service cannot work without its database. */
const IS_REQUIRED = Symbol('IS_REQUIRED');

function openPool({ DATABASE_URL }: Pick<DatabaseConfig, 'DATABASE_URL'>, schema: string): Pool {
  const logger = new Logger('database');
  return createPool(DATABASE_URL, schema, (error) =>
    logger.warn({ msg: 'idle connection lost', err: error }),
  );
}

@Injectable()
class PoolLifecycle implements OnApplicationShutdown {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(IS_REQUIRED) required: boolean,
    health: Health,
  ) {
    health.register('postgres', () => pool.query('SELECT 1'), { required });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

/**
 * The service's own Postgres schema, for a service whose configuration has DATABASE_URL. It applies the
 * migrations before anything else of the service runs. `Pool` of pg can then be injected. Prisma uses the
 * same pool: `new PrismaPg(pool, { schema })`.
 */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param schema the service's own schema, which no other service reads
   * @param migrations folder of the migrations: `migrationsFolder(__dirname)`
   * @param library migrations of the libraries' tables that the service has, such as OUTBOX_MIGRATION
   */
  static forSchema(
    schema: string,
    migrations: string,
    library: readonly LibraryMigration[] = [],
  ): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: Pool,
          inject: [ServiceConfig],
          useFactory: async (config: DatabaseConfig): Promise<Pool> => {
            const applied = await migrate(config.DATABASE_URL, schema, migrations, library);
            if (applied.length > 0)
              new Logger('database').log({ msg: 'migrations applied', schema, applied });
            return openPool(config, schema);
          },
        },
        { provide: IS_REQUIRED, useValue: true },
        PoolLifecycle,
      ],
      exports: [Pool],
    };
  }

  /**
   * For a service that can do most of its work without its database. The service starts while the database is
   * unavailable and applies its migrations in the background later. Statements fail until then.
   */
  static forOptionalSchema(
    schema: string,
    migrations: string,
    library: readonly LibraryMigration[] = [],
  ): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: Pool,
          inject: [ServiceConfig],
          useFactory: (config: DatabaseConfig): Pool => openPool(config, schema),
        },
        {
          provide: BackgroundMigrations,
          inject: [ServiceConfig, Health],
          useFactory: ({ DATABASE_URL: databaseUrl }: DatabaseConfig, health: Health) =>
            new BackgroundMigrations({ databaseUrl, schema, folder: migrations, library }, health),
        },
        { provide: IS_REQUIRED, useValue: false },
        PoolLifecycle,
      ],
      exports: [Pool],
    };
  }
}
