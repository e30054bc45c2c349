import { Problem } from '@plimsoll/contracts';
import type { FastifyInstance } from 'fastify';
import { currentCorrelation } from '../correlation-context';
import { sendProblem } from './problem.filter';

/**
 * Responds with 405 and Allow when a path has routes but none for the method. Fastify would respond with 404.
 * Call it before the routes exist. It reads no body.
 */
export function refuseOtherMethods(fastify: FastifyInstance): void {
  const routes: { path: RegExp; methods: readonly string[] }[] = [];
  fastify.addHook('onRoute', ({ url, method }) => {
    routes.push({ path: pathPattern(url), methods: [method].flat() });
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const [path = '/'] = request.url.split('?');
    const allowed = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods);
    if (allowed.length === 0) return done();
    const allow = allowed.sort().join(', ');
    const problem = new Problem('method_not_allowed', `This path accepts ${allow}.`, {
      headers: { Allow: allow },
    });
    sendProblem(reply, problem, path, currentCorrelation().requestId ?? String(request.id));
  });
}

/** Returns `/v1/wallets/:address` as a regular expression, with all other characters escaped. */
function pathPattern(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    return part.startsWith(':') ? '[^/]+' : part.replace(/[^\w-]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
