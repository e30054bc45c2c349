import { kafkaConsumers } from '@plimsoll/event-bus';
import { bootstrapService } from '@plimsoll/service-kit';
import { AppModule } from './app.module';
import { SimulationConfig } from './config';

void bootstrapService(AppModule, SimulationConfig, kafkaConsumers);
