import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/**
 * A line for every answer, an error where it is a 5xx: the path without its query, no header and no body. Probes are left
 * out. In place of the middleware of nestjs-pino, whose own AsyncLocalStorage would never be switched off again.
 */
export function logAnswers(fastify: FastifyInstance): void {
  const logger = new Logger('http');
  fastify.addHook('onResponse', (request, reply, done) => {
    done();
    const [path = ''] = request.url.split('?');
    if (path.startsWith('/health') || path.startsWith('/metrics')) return;
    const { statusCode: status, elapsedTime } = reply;
    const line = { msg: 'answered', method: request.method, path, status, ms: Math.round(elapsedTime) };
    if (status >= 500) logger.error(line);
    else logger.debug(line);
  });
}
