import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { type DatabaseConfig, ServiceConfig } from '../config/service.config';
import { Health } from '../health/health';
import { BackgroundMigrations } from './background-migrations';
import { type LibraryMigration, migrate } from './migrate';
import { createPool } from './pool';

/** A transaction of Prisma waits for a connection as long as any other query of the pool does. */
const TRANSACTION_OPTIONS = { maxWait: 5_000, timeout: 10_000 };

/** The class that Prisma generates from the schema.prisma of a service. */
export type PrismaClientClass<C extends object = object> = new (options: {
  adapter: PrismaPg;
  transactionOptions: typeof TRANSACTION_OPTIONS;
}) => C;

/** The parts of a database beside the own migrations of the service. */
export interface DatabaseOptions {
  /** The generated client of the service. It can then be injected. */
  client?: PrismaClientClass;
  /** Migrations of the libraries' tables that the service has, such as OUTBOX_MIGRATION. */
  library?: readonly LibraryMigration[];
}

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

/** Prisma on the pool of a service and in its schema. */
export function createPrismaClient<C extends object>(
  client: PrismaClientClass<C>,
  pool: Pool,
  schema: string,
): C {
  return new client({ adapter: new PrismaPg(pool, { schema }), transactionOptions: TRANSACTION_OPTIONS });
}

function clientProviders(client: PrismaClientClass | undefined, schema: string): Provider[] {
  if (!client) return [];
  const useFactory = (pool: Pool): object => createPrismaClient(client, pool, schema);
  return [{ provide: client, inject: [Pool], useFactory }];
}

/**
 * The service's own Postgres schema, for a service whose configuration has DATABASE_URL. It applies the
 * migrations before anything else of the service runs. `Pool` of pg and the service's PrismaClient, which
 * uses the same pool, can then be injected.
 */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param schema the service's own schema, which no other service reads
   * @param migrations folder of the migrations: `migrationsFolder(__dirname)`
   */
  static forSchema(
    schema: string,
    migrations: string,
    { client, library = [] }: DatabaseOptions = {},
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
        ...clientProviders(client, schema),
      ],
      exports: [Pool, ...(client ? [client] : [])],
    };
  }

  /**
   * For a service that can do most of its work without its database. The service starts while the database is
   * unavailable and applies its migrations in the background later. Statements fail until then.
   */
  static forOptionalSchema(
    schema: string,
    migrations: string,
    { client, library = [] }: DatabaseOptions = {},
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
        ...clientProviders(client, schema),
      ],
      exports: [Pool, ...(client ? [client] : [])],
    };
  }
}
