import { type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { REQUEST_ID_HEADER, TRACEPARENT_HEADER, useTestIds } from '@plimsoll/contracts';
import type { FastifyInstance } from 'fastify';
import { Logger } from 'nestjs-pino';
import { collectDefaultMetrics, register } from 'prom-client';
import type { ServiceConfig } from './config/service.config';
import { continueCorrelation, withCorrelation } from './correlation-context';
import { compressResponses } from './http/compression';
import { Health } from './health/health';
import { serveConditionalGets } from './http/conditional-get';
import { drainConnections } from './http/drain-connections';
import { mostBodyValues } from './http/most-body-values';
import { parseJsonBody, requirePlain } from './http/json-body';
import { logResponses } from './http/response-log';
import { refuseOtherMethods } from './http/other-methods';
import { serviceAdapter } from './http/service-adapter';
import { measureHttp } from './metrics/http-metrics';
import { ServiceKitModule } from './service-kit.module';

/** Returns the transport of a service's event handlers, for example `kafkaConsumers` of event-bus. */
export type ConsumersOf = (app: INestApplicationContext) => CustomTransportStrategy;

/**
 * Builds a service without listening. Tests start it at port 0, bootstrapService at its configured port.
 * @param adapter the gateway's own adapter, which responds to /v1 before Nest
 */
export async function createService(
  appModule: Type,
  config: ServiceConfig,
  consumers?: ConsumersOf,
  adapter: FastifyAdapter = serviceAdapter(),
): Promise<NestFastifyApplication> {
  if (config.TEST_MODE) useTestIds();
  if (register.getSingleMetric('process_cpu_seconds_total') === undefined)
    collectDefaultMetrics({ eventLoopMonitoringPrecision: config.EVENT_LOOP_PRECISION_MS });
  const root = { module: class Root {}, imports: [ServiceKitModule.forService(config), appModule] };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bufferLogs: true,
    bodyParser: false,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  await prepareHttp(app.getHttpAdapter().getInstance(), app.get(Health));
  if (consumers) app.connectMicroservice({ strategy: consumers(app) }, { inheritAppConfig: false });
  return app;
}

async function prepareHttp(fastify: FastifyInstance, health: Health): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      requirePlain(request.headers['content-encoding']);
      done(null, parseJsonBody(String(body), mostBodyValues(request)));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const { [REQUEST_ID_HEADER]: requestId, [TRACEPARENT_HEADER]: traceparent } = request.headers;
    const correlation = continueCorrelation(String(requestId ?? ''), String(traceparent ?? ''));
    void reply.header(REQUEST_ID_HEADER, correlation.requestId);
    withCorrelation(correlation, done);
  });
  drainConnections(fastify, health);
  refuseOtherMethods(fastify);
  logResponses(fastify);
  measureHttp(fastify);
  serveConditionalGets(fastify);
  await compressResponses(fastify);
}
