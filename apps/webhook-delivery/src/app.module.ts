import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { EventBusModule, type EventBusOptions } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  Health,
  idempotencyProviders,
  migrationsFolder,
  kafkaSettings,
} from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { Clock } from './clock';
import { WebhookDeliveryConfig } from './config';
import { AttemptService } from './delivery/attempt.service';
import { DeliveryMetrics } from './delivery/delivery-metrics';
import { DeliveryQueue } from './delivery/delivery-queue';
import { DeliveryWorker } from './delivery/delivery-worker';
import { ResultWriter } from './delivery/result-writer';
import { ResultsRepository } from './delivery/results.repository';
import { AccountConsumer } from './endpoints/account.consumer';
import { SecretKeysCheck } from './endpoints/secret-keys.check';
import { TestDeliveriesRepository } from './endpoints/test-deliveries.repository';
import { TestDeliveryService } from './endpoints/test-delivery.service';
import { WebhooksController } from './endpoints/webhooks.controller';
import { WebhooksRepository } from './endpoints/webhooks.repository';
import { WebhooksService } from './endpoints/webhooks.service';
import { AlertConsumer } from './intake/alert.consumer';
import { DeliveriesIntake } from './intake/deliveries.intake';
import { PositionConsumer } from './intake/position.consumer';
import { OutgoingModule } from './outgoing/outgoing.module';
import { PrismaService } from './prisma.service';
import { SecretBox } from './secrets/secret-box';
import { WalletConsumer } from './watching/wallet.consumer';
import { WatchesRepository } from './watching/watches.repository';

@Module({
  imports: [
    DatabaseModule.forSchema('webhook_delivery', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [WebhookDeliveryConfig, Pool, PinoLogger, Health],
      useFactory: (
        config: WebhookDeliveryConfig,
        pool: Pool,
        logger: PinoLogger,
        health: Health,
      ): EventBusOptions => ({
        ...kafkaSettings(config),
        clientId: 'webhook-delivery',
        groupId: 'webhook-delivery',
        pool,
        logger,
        health,
      }),
    }),
    OutgoingModule,
  ],
  controllers: [WebhooksController, AccountConsumer, AlertConsumer, PositionConsumer, WalletConsumer],
  providers: [
    {
      provide: SecretBox,
      inject: [WebhookDeliveryConfig],
      useFactory: (config: WebhookDeliveryConfig) => new SecretBox(config.WEBHOOK_SECRET_KEYS, randomBytes),
    },
    AttemptService,
    Clock,
    DeliveriesIntake,
    DeliveryMetrics,
    DeliveryQueue,
    DeliveryWorker,
    PrismaService,
    ResultWriter,
    ResultsRepository,
    SecretKeysCheck,
    TestDeliveriesRepository,
    TestDeliveryService,
    WatchesRepository,
    WebhooksRepository,
    WebhooksService,
    ...idempotencyProviders(SecretBox),
  ],
})
export class AppModule {}
