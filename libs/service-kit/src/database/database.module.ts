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
import type { LibraryMigration, MigrationSource } from './migrate';
import { createPool } from './pool';
import { prepareSchema } from './prepare-schema';

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

/** The module of a service's schema, with the migrations that its command --migrate applies. */
export interface SchemaModule extends DynamicModule {
  migrations: MigrationSource;
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
 * migrations, or requires them, before anything else of the service runs. `Pool` of pg and the service's PrismaClient, which
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
  ): SchemaModule {
    const source: MigrationSource = { schema, folder: migrations, library };
    return {
      module: DatabaseModule,
      migrations: source,
      providers: [
        {
          provide: Pool,
          inject: [ServiceConfig],
          useFactory: async (config: DatabaseConfig): Promise<Pool> => {
            await prepareSchema(config, source);
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
   * unavailable and prepares its schema in the background later. Statements fail until then.
   */
  static forOptionalSchema(
    schema: string,
    migrations: string,
    { client, library = [] }: DatabaseOptions = {},
  ): SchemaModule {
    const source: MigrationSource = { schema, folder: migrations, library };
    return {
      module: DatabaseModule,
      migrations: source,
      providers: [
        {
          provide: Pool,
          inject: [ServiceConfig],
          useFactory: (config: DatabaseConfig): Pool => openPool(config, schema),
        },
        {
          provide: BackgroundMigrations,
          inject: [ServiceConfig, Health],
          useFactory: (config: DatabaseConfig, health: Health) =>
            new BackgroundMigrations(config, source, health),
        },
        { provide: IS_REQUIRED, useValue: false },
        PoolLifecycle,
        ...clientProviders(client, schema),
      ],
      exports: [Pool, ...(client ? [client] : [])],
    };
  }
}
