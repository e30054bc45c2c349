import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  EventBusModule,
  INBOX_SQL,
  kafkaConsumers,
  type BusLogger,
  type EventBatch,
} from '@plimsoll/event-bus';
import { Pool } from 'pg';
import type { Stopwatch } from './stopwatch';
import type { Settings } from './types';

/** Our transport in a Nest application, as a service uses it. It touches no database if there is no inbox. */
export async function consumeOurs(settings: Settings, stopwatch: Stopwatch, inbox: boolean): Promise<void> {
  const { brokers, groupId, topic, databaseUrl } = settings;

  @Controller()
  class Handler {
    @EventPattern(topic)
    async onBatch(batch: EventBatch<unknown>): Promise<void> {
      stopwatch.handled(batch.events.length);
    }
  }

  const pool = new Pool({ connectionString: databaseUrl, max: 3 });
  if (inbox) await pool.query(INBOX_SQL);
  const logger: BusLogger = {
    debug: (_fields, message) => stopwatch.sawLog(message),
    info: () => undefined,
    warn: (_fields, message) => console.error(message),
    error: (fields, message) => console.error(message, fields),
  };
  const options = { brokers, clientId: 'bench', groupId, pool, logger, inbox };

  @Module({ imports: [EventBusModule.forRootAsync({ useFactory: () => options })], controllers: [Handler] })
  class BenchModule {}

  const app = await NestFactory.create(BenchModule, new FastifyAdapter(), { logger: false });
  app.connectMicroservice({ strategy: kafkaConsumers(app) });
  await app.startAllMicroservices();
}
