import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { EndpointsModule } from '../endpoints/endpoints.module';
import { SecretsModule } from '../secrets/secrets.module';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesRepository } from './deliveries.repository';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesRepository } from './retries.repository';
import { RetriesService } from './retries.service';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';

/** The log of deliveries, and their retries. */
@Module({
  imports: [DeliveryModule, EndpointsModule, SecretsModule],
  controllers: [DeliveriesController, WebhookDeliveriesController],
  providers: [DeliveriesRepository, DeliveryLogService, RetriesRepository, RetriesService],
})
export class LogModule {}
