import { bootstrapService } from '@plimsoll/service-kit';
import { AppModule } from './app.module';
import { WhalesConfig } from './config';

void bootstrapService(AppModule, WhalesConfig);
