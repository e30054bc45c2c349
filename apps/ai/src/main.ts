import { bootstrapService } from '@plimsoll/service-kit';
import { AppModule } from './app.module';
import { AiConfig } from './config';

void bootstrapService(AppModule, AiConfig);
