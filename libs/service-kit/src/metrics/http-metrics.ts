import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, register } from 'prom-client';

/**
 * Duration in seconds of every HTTP response by method, route pattern and status. The path itself would
 * create an unbounded number of series.
 */
export function httpDurationSeconds(): Histogram {
  const existing = register.getSingleMetric('http_request_duration_seconds') as Histogram | undefined;
  return (
    existing ??
    new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time between an HTTP request and its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    })
  );
}

/** Requests that a service rejected because of their identity or proof, by reason. */
export function identitiesRejected(): Counter {
  const existing = register.getSingleMetric('identity_rejected_total') as Counter | undefined;
  return (
    existing ??
    new Counter({
      name: 'identity_rejected_total',
      help: 'Requests without a valid identity and proof, by reason',
      labelNames: ['reason'],
    })
  );
}

/** Observes every response of Fastify's routes in httpDurationSeconds. */
export function measureHttp(fastify: FastifyInstance): void {
  const histogram = httpDurationSeconds();
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    histogram.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}
