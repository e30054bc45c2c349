import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type INestApplication, Logger } from '@nestjs/common';
import type { ServiceConfig } from './config/service.config';
import { Health } from './health/health';

const LOOK_EVERY_MS = 50;

/**
 * On SIGTERM or SIGINT: not ready any more, and for SHUTDOWN_LAME_DUCK_MS every answer tells its client to go elsewhere,
 * because an idle connection that is closed can meet a call on its way. Then Nest's shutdown hooks (leave the consumer
 * group, finish what is in flight, close pools), and exit 0; past SHUTDOWN_DEADLINE_MS exit 1.
 */
export function stopOnSignals(app: INestApplication, config: ServiceConfig): void {
  const { SHUTDOWN_LAME_DUCK_MS: lameDuckMs, SHUTDOWN_DEADLINE_MS: deadlineMs } = config;
  const logger = new Logger('shutdown');
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    app.get(Health).drain();
    logger.log({ msg: 'stopping', signal, lameDuckMs, deadlineMs });
    await whileConnected(app.getHttpServer() as Server, lameDuckMs);
    setTimeout(() => {
      logger.error({ msg: 'stopped at the deadline with work in flight', deadlineMs });
      process.exit(1);
    }, deadlineMs).unref();
    await app.close();
  };
  let stopped: Promise<void> | undefined;
  const stopOnce = (signal: NodeJS.Signals): void => {
    stopped ??= stop(signal).then(
      () => process.exit(0),
      (error: Error) => {
        logger.error({ msg: 'stop failed', err: error });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stopOnce);
  process.on('SIGINT', stopOnce);
}

/** Resolves when nobody is connected any more, at the latest after `atMostMs`. */
async function whileConnected(server: Server, atMostMs: number): Promise<void> {
  const isOverAtMs = performance.now() + atMostMs;
  while (performance.now() < isOverAtMs && (await connectionsOf(server)) > 0) await wait(LOOK_EVERY_MS);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
