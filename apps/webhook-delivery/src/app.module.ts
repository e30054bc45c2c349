import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  eventBusOptions,
  idempotencyProviders,
  migrationsFolder,
} from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from './config';
import { AttemptService } from './delivery/attempt.service';
import { DeliveryMetrics } from './delivery/delivery-metrics';
import { DeliveryQueue } from './delivery/delivery-queue';
import { DeliverySender } from './delivery/delivery-sender';
import { DeliveryWorker } from './delivery/delivery-worker';
import { ResultWriter } from './delivery/result-writer';
import { ResultsRepository } from './delivery/results.repository';
import { LocalLeaseCache } from './delivery/local-lease-cache';
import { AccountConsumer } from './endpoints/account.consumer';
import { EndpointVerification } from './endpoints/endpoint-verification';
import { SecretKeysCheck } from './endpoints/secret-keys.check';
import { SecretRotationService } from './endpoints/secret-rotation.service';
import { TestDeliveriesRepository } from './endpoints/test-deliveries.repository';
import { TestDeliveryService } from './endpoints/test-delivery.service';
import { WebhooksController } from './endpoints/webhooks.controller';
import { WebhooksRepository } from './endpoints/webhooks.repository';
import { WebhooksService } from './endpoints/webhooks.service';
import { EventsController } from './events/events.controller';
import { EventsRepository } from './events/events.repository';
import { AlertChangeConsumer } from './intake/alert-change.consumer';
import { AlertGroupConsumer } from './intake/alert-group.consumer';
import { AlertConsumer } from './intake/alert.consumer';
import { DeliveriesIntake } from './intake/deliveries.intake';
import { PositionConsumer } from './intake/position.consumer';
import { DeliveriesController } from './log/deliveries.controller';
import { DeliveriesRepository } from './log/deliveries.repository';
import { DeliveryLogService } from './log/delivery-log.service';
import { RetriesRepository } from './log/retries.repository';
import { RetriesService } from './log/retries.service';
import { WebhookDeliveriesController } from './log/webhook-deliveries.controller';
import { OutgoingModule } from './outgoing/outgoing.module';
import { PrismaService } from './prisma.service';
import { RetentionRepository } from './retention/retention.repository';
import { RetentionService } from './retention/retention.service';
import { SecretBox } from './secrets/secret-box';
import { RecentEventsCleaner } from './watching/recent-events.cleaner';
import { RecentEventsRepository } from './watching/recent-events.repository';
import { WalletConsumer } from './watching/wallet.consumer';
import { WatchesRepository } from './watching/watches.repository';

@Module({
  imports: [
    DatabaseModule.forSchema('webhook_delivery', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync(eventBusOptions('webhook-delivery')),
    OutgoingModule,
  ],
  controllers: [
    DeliveriesController,
    EventsController,
    WebhookDeliveriesController,
    WebhooksController,
    AccountConsumer,
    AlertChangeConsumer,
    AlertConsumer,
    AlertGroupConsumer,
    PositionConsumer,
    WalletConsumer,
  ],
  providers: [
    {
      provide: SecretBox,
      inject: [WebhookDeliveryConfig],
      useFactory: (config: WebhookDeliveryConfig) => new SecretBox(config.WEBHOOK_SECRET_KEYS, randomBytes),
    },
    AttemptService,
    DeliveriesIntake,
    DeliveriesRepository,
    DeliveryLogService,
    DeliveryMetrics,
    DeliveryQueue,
    DeliverySender,
    DeliveryWorker,
    EndpointVerification,
    EventsRepository,
    PrismaService,
    RecentEventsCleaner,
    RecentEventsRepository,
    ResultWriter,
    ResultsRepository,
    RetentionRepository,
    RetentionService,
    RetriesRepository,
    RetriesService,
    SecretKeysCheck,
    SecretRotationService,
    TestDeliveriesRepository,
    TestDeliveryService,
    LocalLeaseCache,
    WatchesRepository,
    WebhooksRepository,
    WebhooksService,
    ...idempotencyProviders(SecretBox),
  ],
})
export class AppModule {}
