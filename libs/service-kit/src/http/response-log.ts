import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/**
 * Logs one line for each response, with the path but without query, headers and body. A 5xx is an error.
 * Probes are not logged. It replaces the middleware of nestjs-pino, which logs headers and creates a logger
 * for each request.
 */
export function logResponses(fastify: FastifyInstance): void {
  const logger = new Logger('http');
  fastify.addHook('onResponse', (request, reply, done) => {
    done();
    const [path = ''] = request.url.split('?');
    if (path.startsWith('/health') || path.startsWith('/metrics')) return;
    const { statusCode: status, elapsedTime } = reply;
    const line = { msg: 'responded', method: request.method, path, status, ms: Math.round(elapsedTime) };
    if (status >= 500) logger.error(line);
    else logger.debug(line);
  });
}
