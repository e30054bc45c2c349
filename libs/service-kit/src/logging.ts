import type { Options } from 'pino-http';
import { currentCorrelation } from './correlation-context';

/** JSON logs with the request id on every line; bodies, keys, cookies and signatures never reach them. */
export function loggerOptions(level: string): Options {
  return {
    level,
    mixin: () => ({ ...currentCorrelation() }),
    autoLogging: { ignore: (request) => /^\/(health|metrics)/.test(request.url ?? '') },
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?')[0],
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'debug'),
  };
}
