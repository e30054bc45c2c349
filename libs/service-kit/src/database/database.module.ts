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
import { migrate } from './migrate';
import { createPool } from './pool';

@Injectable()
class PoolLifecycle implements OnApplicationShutdown {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    health: Health,
  ) {
    health.register('postgres', () => pool.query('SELECT 1'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

/**
 * The service's own Postgres schema, for a service whose config has DATABASE_URL: its migrations are applied before anything else of the service runs, then
 * pg's `Pool` can be injected. Prisma is made from the same pool: `new PrismaPg(pool, { schema })`.
 */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param schema the service's own; no other service reads it
   * @param migrations folder of the migrations: `migrationsFolder(__dirname)`
   */
  static forSchema(schema: string, migrations: string): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: Pool,
          inject: [ServiceConfig],
          useFactory: async (config: DatabaseConfig): Promise<Pool> => {
            const logger = new Logger('database');
            const applied = await migrate(config.DATABASE_URL, schema, migrations);
            if (applied.length > 0) logger.log({ msg: 'migrations applied', schema, applied });
            return createPool(config.DATABASE_URL, schema, (error) =>
              logger.warn({ msg: 'idle connection lost', err: error }),
            );
          },
        },
        PoolLifecycle,
      ],
      exports: [Pool],
    };
  }
}
