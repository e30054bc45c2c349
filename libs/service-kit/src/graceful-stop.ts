import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type INestApplication, Logger } from '@nestjs/common';
import type { ServiceConfig } from './config/service.config';
import { Health } from './health/health';

const POLL_EVERY_MS = 50;

/**
 * Stops the service on SIGTERM or SIGINT. First it is not ready, and for SHUTDOWN_LAME_DUCK_MS every response
 * closes its connection, because a request can arrive while the server closes an idle connection. Then Nest's
 * shutdown hooks leave the consumer group, finish requests in flight and close the pools. The process exits
 * with 0, or with 1 after SHUTDOWN_DEADLINE_MS.
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

/** Resolves when no client is connected, at the latest after `atMostMs`. */
async function whileConnected(server: Server, atMostMs: number): Promise<void> {
  const isOverAtMs = performance.now() + atMostMs;
  while (performance.now() < isOverAtMs && (await connectionsOf(server)) > 0) await wait(POLL_EVERY_MS);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
