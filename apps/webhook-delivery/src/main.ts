import { kafkaConsumers } from '@plimsoll/event-bus';
import { bootstrapService } from '@plimsoll/service-kit';
import { AppModule } from './app.module';
import { WebhookDeliveryConfig } from './config';

void bootstrapService(AppModule, WebhookDeliveryConfig, kafkaConsumers);
