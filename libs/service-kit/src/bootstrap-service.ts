import type { Type } from '@nestjs/common';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { EXIT_CONFIG } from './config/finish-command';
import { ConfigError } from './config/config-error';
import { loadConfig } from './config/load-config';
import { environment } from './config/environment';
import type { ServiceConfig } from './config/service.config';
import { type ConsumersOf, createService } from './create-service';
import { runMigrations } from './database/migrate-command';
import { SchemaNotMigratedError } from './database/prepare-schema';
import { stopOnSignals } from './graceful-stop';

const CHECK_CONFIG = '--check-config';
const MIGRATE = '--migrate';
/** The words after `node app/main.js` that start no service. */
export const SERVICE_COMMANDS = [CHECK_CONFIG, MIGRATE] as const;

/** An error of event-bus, which this library may not import: the brokers reject a setting. */
const isAccessError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'KafkaAccessError';

/**
 * The complete main.ts of a service. It reads the configuration, builds the app, listens, consumes and stops
 * cleanly on SIGTERM and SIGINT. With --check-config it only reads the configuration, with --migrate it only
 * applies the missing migrations. When the start fails, it prints the reason on standard error and exits.
 * @param adapter the gateway's own adapter; all other services use that of createService
 */
export async function bootstrapService(
  appModule: Type,
  configClass: new () => ServiceConfig,
  consumers?: ConsumersOf,
  adapter?: FastifyAdapter,
): Promise<void> {
  try {
    const config = loadConfig(configClass, environment());
    if (process.argv.includes(CHECK_CONFIG)) {
      process.stdout.write('Configuration is valid.\n');
      return;
    }
    if (process.argv.includes(MIGRATE)) {
      process.stdout.write(await runMigrations(appModule, config));
      return;
    }
    const app = await createService(appModule, config, consumers, adapter);
    stopOnSignals(app, config);
    await app.listen(config.PORT, config.HOST);
    // Joining the group can take as long as the session of a killed member. Work that needs no events does
    // not wait for it.
    await app.startAllMicroservices();
  } catch (error) {
    const expected =
      error instanceof ConfigError || error instanceof SchemaNotMigratedError || isAccessError(error);
    process.stderr.write(`${expected ? error.message : `Start failed: ${(error as Error).stack}`}\n`);
    process.exit(expected ? EXIT_CONFIG : 1);
  }
}
