import { type INestApplication, Logger } from '@nestjs/common';
import { Health } from './health/health';

/**
 * On SIGTERM or SIGINT: not ready any more, then Nest's shutdown hooks (leave the consumer group, finish what is in
 * flight, close pools), then exit 0; past the deadline exit 1.
 */
export function stopOnSignals(app: INestApplication, deadlineMs: number): void {
  const logger = new Logger('shutdown');
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    app.get(Health).drain();
    logger.log({ msg: 'stopping', signal, deadlineMs });
    setTimeout(() => {
      logger.error({ msg: 'stopped at the deadline with work in flight', deadlineMs });
      process.exit(1);
    }, deadlineMs).unref();
    app.close().then(
      () => process.exit(0),
      (error: Error) => {
        logger.error({ msg: 'stop failed', err: error });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
