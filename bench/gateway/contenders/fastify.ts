import httpProxy from '@fastify/http-proxy';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import Redis from 'ioredis';

/** Fastify with its own two plugins, set up as in their READMEs: no key check, no tier, no identity. */
async function start(): Promise<void> {
  const app = fastify();
  app.get('/health/ready', { config: { rateLimit: false } }, () => ({ status: 'ready' }));
  await app.register(rateLimit, {
    max: 1_000_000_000,
    timeWindow: '1 minute',
    redis: new Redis(process.env.REDIS_URL ?? ''),
    keyGenerator: (request) => String(request.headers['x-api-key']),
  });
  await app.register(httpProxy, {
    upstream: process.env.UPSTREAM ?? '',
    prefix: '/v1',
    rewritePrefix: '/v1',
  });
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
}

void start();
