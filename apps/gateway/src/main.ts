import { bootstrapService } from '@plimsoll/service-kit';
import { AppModule } from './app.module';
import { GatewayConfig } from './config';
import { GatewayAdapter } from './edge/gateway-adapter';

void bootstrapService(AppModule, GatewayConfig, undefined, new GatewayAdapter());
