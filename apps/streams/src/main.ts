import { bootstrapService } from '@plimsoll/service-kit';
import { AppModule } from './app.module';
import { StreamsConfig } from './config';

void bootstrapService(AppModule, StreamsConfig);
