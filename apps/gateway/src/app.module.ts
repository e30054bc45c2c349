import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import { DatabaseModule, migrationsFolder, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { GatewayConfig } from './config';
import { DocumentsController } from './documents/documents.controller';
import { Admission } from './edge/admission';
import { ApiCore } from './edge/api-core';
import { AccountChanges } from './keys/account-changes';
import { ApiKeys } from './keys/api-keys';
import { KeyLookup } from './keys/key-lookup';
import { RateLimiter } from './limits/rate-limiter';
import { Forwarder } from './proxy/forwarder';
import { CallSigner } from './proxy/sign-call';
import { Upstreams } from './proxy/upstreams';
import { Status } from './status/status';
import { UpstreamReadiness } from './status/upstream-readiness';
import { Tunnels } from './streams/tunnels';

@Module({
  imports: [
    DatabaseModule.forSchema('gateway', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [GatewayConfig, Pool, PinoLogger],
      useFactory: (config: GatewayConfig, pool: Pool, logger: PinoLogger) => ({
        ...kafkaSettings(config),
        clientId: 'gateway',
        groupId: 'gateway',
        pool,
        logger,
      }),
    }),
  ],
  controllers: [DocumentsController],
  providers: [
    KeyLookup,
    AccountChanges,
    ApiKeys,
    RateLimiter,
    Admission,
    Upstreams,
    CallSigner,
    Forwarder,
    Tunnels,
    UpstreamReadiness,
    Status,
    ApiCore,
  ],
})
export class AppModule {}
