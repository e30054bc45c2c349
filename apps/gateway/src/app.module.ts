import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import { DatabaseModule, migrationsFolder, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { ACCOUNT_CONTROLLERS, ACCOUNT_PROVIDERS } from './accounts/account-api';
import { GatewayConfig } from './config';
import { DocumentsController } from './documents/documents.controller';
import { Admission } from './edge/admission';
import { ApiCore } from './edge/api-core';
import { AccountChangePublisher } from './keys/account-change-publisher';
import { AccountChanges } from './keys/account-changes';
import { ApiKeys } from './keys/api-keys';
import { KeyLookup } from './keys/key-lookup';
import { RateLimiter } from './limits/rate-limiter';
import { Forwarder } from './proxy/forwarder';
import { CallSigner } from './proxy/sign-call';
import { Upstreams } from './proxy/upstreams';
import { SessionCalls } from './sessions/session-calls';
import { LocalRoutes } from './status/local-routes';
import { Status } from './status/status';
import { UpstreamReadiness } from './status/upstream-readiness';
import { WebSocketProxy } from './streams/web-socket-proxy';
import { RequestTally } from './usage/request-tally';
import { Usage } from './usage/usage';
import { UsageWriter } from './usage/usage-writer';

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
  controllers: [...ACCOUNT_CONTROLLERS, DocumentsController],
  providers: [
    ...ACCOUNT_PROVIDERS,
    KeyLookup,
    AccountChanges,
    AccountChangePublisher,
    ApiKeys,
    SessionCalls,
    RequestTally,
    Usage,
    UsageWriter,
    RateLimiter,
    Admission,
    Upstreams,
    CallSigner,
    Forwarder,
    WebSocketProxy,
    UpstreamReadiness,
    Status,
    LocalRoutes,
    ApiCore,
  ],
})
export class AppModule {}
