import { bootstrapService } from '@plimsoll/service-kit';
import { AppModule } from './app.module';
import { SandboxConfig } from './config';

void bootstrapService(AppModule, SandboxConfig);
