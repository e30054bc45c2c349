import type { Type } from '@nestjs/common';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { ConfigError, loadConfig } from './config/load-config';
import { environment } from './config/environment';
import type { ServiceConfig } from './config/service.config';
import { type ConsumersOf, createService } from './create-service';
import { stopOnSignals } from './graceful-stop';

const EXIT_CONFIG = 78;

/**
 * The whole of a service's main.ts: reads the config (with --check-config only that), builds the app, listens,
 * consumes, and stops cleanly on SIGTERM and SIGINT. A start that fails prints why on standard error and exits.
 * @param adapter the gateway's own; every other service has that of createService
 */
export async function bootstrapService(
  appModule: Type,
  configClass: new () => ServiceConfig,
  consumers?: ConsumersOf,
  adapter?: FastifyAdapter,
): Promise<void> {
  try {
    const config = loadConfig(configClass, environment());
    if (process.argv.includes('--check-config')) {
      process.stdout.write('Configuration is valid.\n');
      return;
    }
    const app = await createService(appModule, config, consumers, adapter);
    stopOnSignals(app, config);
    await app.listen(config.PORT, config.HOST);
    // Joining the group can take as long as a killed member's session; what needs no events need not wait for it.
    await app.startAllMicroservices();
  } catch (error) {
    const expected = error instanceof ConfigError;
    process.stderr.write(`${expected ? error.message : `Start failed: ${(error as Error).stack}`}\n`);
    process.exit(expected ? EXIT_CONFIG : 1);
  }
}
