import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Transport } from '@nestjs/microservices';
import type { Stopwatch } from './stopwatch';
import type { Settings } from './types';

/** Nest's own Kafka transport: it parses JSON by itself and calls the handler for each message. */
export async function consumeServerKafka(settings: Settings, stopwatch: Stopwatch): Promise<void> {
  const { brokers, groupId, topic } = settings;

  @Controller()
  class Handler {
    @EventPattern(topic)
    async onPosition(_value: unknown): Promise<void> {
      stopwatch.handled(1);
    }
  }

  @Module({ controllers: [Handler] })
  class BenchModule {}

  const app = await NestFactory.createMicroservice(BenchModule, {
    transport: Transport.KAFKA,
    logger: false,
    options: {
      client: { brokers, clientId: 'bench', logCreator: stopwatch.logCreator },
      consumer: { groupId },
      subscribe: { fromBeginning: true },
    },
  });
  await app.listen();
}
