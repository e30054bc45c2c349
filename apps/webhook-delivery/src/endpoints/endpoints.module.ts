import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { OutgoingModule } from '../outgoing/outgoing.module';
import { SecretsModule } from '../secrets/secrets.module';
import { AccountConsumer } from './account.consumer';
import { EndpointVerification } from './endpoint-verification';
import { SecretKeysCheck } from './secret-keys.check';
import { SecretRotationService } from './secret-rotation.service';
import { TestDeliveriesRepository } from './test-deliveries.repository';
import { TestDeliveryService } from './test-delivery.service';
import { WebhooksController } from './webhooks.controller';
import { WebhooksRepository } from './webhooks.repository';
import { WebhooksService } from './webhooks.service';

/** Webhook endpoints of customers: create, change, test, rotate the secret. */
@Module({
  imports: [DeliveryModule, OutgoingModule, SecretsModule],
  controllers: [AccountConsumer, WebhooksController],
  providers: [
    EndpointVerification,
    SecretKeysCheck,
    SecretRotationService,
    TestDeliveriesRepository,
    TestDeliveryService,
    WebhooksRepository,
    WebhooksService,
  ],
  exports: [WebhooksRepository],
})
export class EndpointsModule {}
