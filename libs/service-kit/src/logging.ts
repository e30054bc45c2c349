import type { Options } from 'pino-http';
import { currentCorrelation } from './correlation-context';

/**
 * JSON logs with the request id on every line. They never contain bodies, keys, cookies or signatures.
 * @param name of the service, on every line; empty: no name
 */
export function loggerOptions(level: string, name: string): Options {
  return {
    level,
    ...(name !== '' && { name }),
    mixin: () => ({ ...currentCorrelation() }),
  };
}
