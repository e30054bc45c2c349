import type { Options } from 'pino-http';
import { currentCorrelation } from './correlation-context';

/** JSON logs with the request id on every line; bodies, keys, cookies and signatures never reach them. */
export function loggerOptions(level: string): Options {
  return {
    level,
    mixin: () => ({ ...currentCorrelation() }),
  };
}
